"""Programs made by hand, and what jax and xprof count of programs."""
