"""What the tests make by hand, what they hold results against, and the scripts that they start."""
