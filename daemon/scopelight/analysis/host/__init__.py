"""What the host did: its threads, its input, its resources."""
