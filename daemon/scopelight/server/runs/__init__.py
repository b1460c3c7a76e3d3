"""Runs: listed, followed while captured, opened and shown."""
