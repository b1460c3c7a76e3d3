"""Analysis: one module per question, each a pure function of a profile."""
