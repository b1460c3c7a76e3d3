"""How a job does at a moment, from a trace of a fraction of a second."""
