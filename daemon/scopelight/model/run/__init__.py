"""Runs: what `run.json` says of a capture, and which runs a folder holds."""
