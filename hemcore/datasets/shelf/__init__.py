"""What is kept on disk: the store of uploads, the bundled samples, and both by id."""
