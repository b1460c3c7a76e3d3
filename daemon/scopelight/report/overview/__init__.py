"""What the overview of a run, its steps, programs and advice say, in the terminal."""
