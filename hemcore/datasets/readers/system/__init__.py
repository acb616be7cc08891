"""What an operating system's own tools print of a program: time, ocount."""
