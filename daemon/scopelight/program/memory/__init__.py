"""Memory: the buffers of a program, when they live, and where."""
