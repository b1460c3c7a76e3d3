"""The graph of a compiled program: which ops hand their results to which."""
