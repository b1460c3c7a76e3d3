"""Drift: from recorded text to present text."""
