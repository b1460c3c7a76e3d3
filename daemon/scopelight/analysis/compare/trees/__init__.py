"""Two trees of a view compared node by node."""
