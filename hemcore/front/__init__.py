"""The notebook interface: files or plain frames in, an Answer out. `hemcore` exports all of it."""
