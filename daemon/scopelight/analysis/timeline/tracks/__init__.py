"""Tracks: those that a profile stores, and those that are derived from executions."""
