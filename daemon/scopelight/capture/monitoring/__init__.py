"""Watching a job through our agent in it: readings of it are taken when someone asks for them."""
