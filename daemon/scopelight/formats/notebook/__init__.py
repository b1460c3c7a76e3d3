"""Notebooks: the file of one, and the names of files that kernels give to its cells."""
