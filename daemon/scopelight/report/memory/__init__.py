"""Memory in the terminal and in sentences."""
