"""The flame graph: what the device did, by the stack of Python calls that traced each op."""
