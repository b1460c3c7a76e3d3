"""Profiles that others have made, taken into runs."""
