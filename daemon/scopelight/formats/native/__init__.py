"""Kernels as machine code: compiled by numba, kept in files, called without it."""
