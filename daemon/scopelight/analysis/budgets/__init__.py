"""Budgets: whether what a run took stays below what its project allows."""
