"""Programs: what is true of a compiled program that need not run."""
