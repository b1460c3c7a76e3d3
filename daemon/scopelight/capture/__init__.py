"""Capture: run a script under the profiler and leave a run directory behind."""
