"""The overview of a run: where its steps went, what would make them faster, and what they ran on."""
