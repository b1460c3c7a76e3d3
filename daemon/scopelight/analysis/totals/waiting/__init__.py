"""Waiting: the idle time of devices, on the lines of Python where the host stood."""
