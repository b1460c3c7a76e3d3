"""Cells of notebooks, which have no files: what they are called in records, and which of them are open now."""
