"""Predicted runs side by side, as text."""
