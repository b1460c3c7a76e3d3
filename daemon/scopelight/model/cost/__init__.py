"""Costs: what one execution of an op costs, as the profile or its instruction says."""
