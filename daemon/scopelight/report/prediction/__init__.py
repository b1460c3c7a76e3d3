"""Predictions in words: marks of their figures, and what is said around them."""
