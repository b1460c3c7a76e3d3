"""Capturing from jobs that run already, through the profiler server that they have started."""
