"""A script of the working tree and of another revision, captured in turn."""
