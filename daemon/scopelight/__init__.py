"""Scopelight: time, waste and memory of a JAX program, on the source lines that caused them."""

__version__ = "0.1.0"
