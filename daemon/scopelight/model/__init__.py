"""Model: the nouns of a profile, the same for every backend."""
