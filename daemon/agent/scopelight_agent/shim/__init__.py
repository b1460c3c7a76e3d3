"""What runs inside the user's process: standard library alone, Python 3.10 and later, nothing of ours imported."""
