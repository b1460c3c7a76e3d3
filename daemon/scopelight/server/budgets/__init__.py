"""Budgets in the editor: among its problems, and set from a run."""
