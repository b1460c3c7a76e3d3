"""What the tables hold: a function from a run to the columns of each, asked from the analyses that panels show."""
