"""Device time: when devices were busy, with what, and what ran beside it."""
