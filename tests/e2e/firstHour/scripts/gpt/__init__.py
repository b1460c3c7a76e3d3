"""A small GPT that learns to repeat text, as a package."""
