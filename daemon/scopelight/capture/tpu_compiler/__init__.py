"""Compiles programs for TPUs that are not here: an environment, a process in it, and what came of them."""
