"""The graph of data operations."""
