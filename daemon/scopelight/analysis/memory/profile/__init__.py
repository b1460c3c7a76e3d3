"""Memory profile: what was in memory while a script ran."""
