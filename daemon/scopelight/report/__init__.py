"""Report: records as text."""
