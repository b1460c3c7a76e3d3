"""Sizes: which number in the sources is the size of a dimension."""
