"""Words of findings: what each code means, and what to do about it, for the terminal and for the editor."""
