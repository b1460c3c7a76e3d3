"""What runs in a process of the user's interpreter to measure the machine: their jax, numpy, the standard library."""
