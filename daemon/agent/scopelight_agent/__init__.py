"""What of Scopelight runs inside the user's process: standard library alone, Python 3.10 and later."""

__version__ = "0.1.0"
