"""Devices: what each can do at most, and the source of that."""
