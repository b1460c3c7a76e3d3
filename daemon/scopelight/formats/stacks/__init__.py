"""Profiles made of stacks with weights, written for other viewers: one module per format."""
