"""What changed between runs: paired tables, and what of a change can be told from noise."""
