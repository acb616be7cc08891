"""The front door for notebooks: files and plain frames in, one kind of Answer out. `hemcore` offers all of it by name."""
