"""Measuring what this machine can do at most, where its CPU is the device."""
