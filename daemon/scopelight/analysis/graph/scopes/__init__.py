"""The level of scopes: groups of ops, opened one by one, equal ones folded."""
