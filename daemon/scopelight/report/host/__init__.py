"""The host in words: what devices wait for, its input, its threads and its resources."""
