"""Predicted runs, and measured ones beside them, as text."""
