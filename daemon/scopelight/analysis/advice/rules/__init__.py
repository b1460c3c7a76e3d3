"""The rules: one module for each, a function from what was observed to what it advises."""
