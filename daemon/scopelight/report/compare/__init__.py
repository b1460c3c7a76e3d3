"""What changed between runs, in words."""
