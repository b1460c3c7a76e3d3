"""Budgets of a project: read from its ``pyproject.toml``, held against a run, and written there."""
