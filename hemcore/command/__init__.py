"""The command `hem-workbench`: starts the app, and runs analyses in scripts."""
