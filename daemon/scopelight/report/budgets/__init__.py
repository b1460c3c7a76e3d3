"""Budgets in words: in the terminal, among an editor's problems, and for those who run checks."""
