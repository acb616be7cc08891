"""What HEM Workbench computed and let one download, told from readings: refused, or read as the dataset that it is."""
