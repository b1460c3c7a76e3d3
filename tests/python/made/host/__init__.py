"""Runs of which it is known what their host did: where its threads stood, what it waited for, what it used."""
