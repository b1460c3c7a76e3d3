"""Devices: what each can do at most, and who says so."""
