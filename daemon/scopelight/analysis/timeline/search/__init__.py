"""Search: names and arguments of slices, matched within a time limit."""
