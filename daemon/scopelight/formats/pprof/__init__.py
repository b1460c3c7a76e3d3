"""pprof: profiles of memory are read, as `jax.profiler.device_memory_profile` writes them; stacks are written."""
