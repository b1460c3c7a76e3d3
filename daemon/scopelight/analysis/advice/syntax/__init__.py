"""What the text of the user's files says: where functions are compiled, and with what they are called."""
