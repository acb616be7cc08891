"""HEM Workbench's analyses of hardware event monitor (HEM) readings."""
