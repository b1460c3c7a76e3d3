"""Out of memory: how a script ran out of it, and which lines took it."""
