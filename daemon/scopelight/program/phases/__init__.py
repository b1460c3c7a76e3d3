"""Phases: which pass of a training step an op belongs to."""
