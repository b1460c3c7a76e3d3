"""Windows that come when something is so: at a step, in an epoch, around slow steps, when a file changes."""
