"""Words of what is held against something: another run, or a budget."""
