"""Reports of a run that anyone opens without Scopelight: what they hold, and the file that holds it."""
