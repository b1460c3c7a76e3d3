"""Cost: FLOPs, bytes and the division of fusions, from instructions and shapes alone."""
