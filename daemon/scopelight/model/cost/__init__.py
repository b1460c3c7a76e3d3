"""Cost of one execution of an op: FLOPs and bytes, recorded or estimated."""
