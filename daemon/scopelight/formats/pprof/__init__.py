"""pprof: profiles of memory, as `jax.profiler.device_memory_profile` writes them."""
