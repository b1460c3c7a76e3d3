"""Jobs that nobody prepared: Python 3.14 and later let the agent in."""
