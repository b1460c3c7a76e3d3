"""What the host did while the devices worked or waited: its threads, and what the machine had left for them."""
