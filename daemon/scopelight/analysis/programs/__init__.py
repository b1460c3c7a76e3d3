"""The compiled programs of a run: which of them are variants of one function, and in what they differ."""
