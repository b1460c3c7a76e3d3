"""Memory: what allocators, samples and snapshots recorded of a running script."""
