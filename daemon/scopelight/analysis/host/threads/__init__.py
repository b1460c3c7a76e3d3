"""The threads of a host: what each was in, and where it stood."""
