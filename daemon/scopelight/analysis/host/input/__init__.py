"""The input of a script: whether its steps wait for data, where that is made, and what is slow about it."""
