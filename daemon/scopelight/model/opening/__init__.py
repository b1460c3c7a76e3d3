"""Opening: from a path to a `Profile`."""
