"""Filling a run directory: its description, trace, sources and memory. Nothing here knows of launching a script."""
