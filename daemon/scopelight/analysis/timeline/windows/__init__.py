"""Windows: what of some tracks to draw between two times."""
