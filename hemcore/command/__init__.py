"""The command `hem-workbench`: the app, and the analyses for scripts."""
