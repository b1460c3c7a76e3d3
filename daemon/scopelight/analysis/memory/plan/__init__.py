"""Planned memory: what compiled programs keep in memory, by their compiler's plan."""
