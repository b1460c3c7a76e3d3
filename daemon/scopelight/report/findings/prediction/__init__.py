"""Words of what a TPU would do."""
