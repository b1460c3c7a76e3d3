"""How commands write: as JSON, to a terminal that may be gone, over a line of status, into a file."""
