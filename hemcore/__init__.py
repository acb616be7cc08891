"""HEM Workbench's analyses of hardware event monitor (HEM) readings."""

__version__ = "0.1.0"
