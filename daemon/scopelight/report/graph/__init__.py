"""The graph of a program as text."""
