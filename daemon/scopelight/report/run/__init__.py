"""What is said of a run: its answer in a sentence, and why a line of it has no file to open."""
