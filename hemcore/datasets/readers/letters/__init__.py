"""Letters and digits that files hold which are neither UTF-8 nor ASCII."""
