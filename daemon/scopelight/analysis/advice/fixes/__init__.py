"""Edits that follow an advice, where the text proves that they change nothing else."""
