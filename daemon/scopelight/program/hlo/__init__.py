"""HLO: the nouns of compiled programs, and how they are built from messages."""
