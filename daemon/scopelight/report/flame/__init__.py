"""The flame graph in the terminal and as files of other viewers."""
