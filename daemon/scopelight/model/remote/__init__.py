"""Log directories on servers: found, listed, and kept here once they were read."""
