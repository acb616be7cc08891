"""What an event is called."""
