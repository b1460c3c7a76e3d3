"""Hot lines: the lines, functions and stacks of source that the op time went to."""
