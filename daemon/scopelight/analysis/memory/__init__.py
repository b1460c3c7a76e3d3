"""Memory: what programs keep in it, position by position, what was in it while they ran, and for which lines."""
