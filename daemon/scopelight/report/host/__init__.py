"""The host in words: its input and its threads."""
