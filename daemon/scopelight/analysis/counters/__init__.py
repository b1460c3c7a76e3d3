"""Counters of the hardware, by op."""
