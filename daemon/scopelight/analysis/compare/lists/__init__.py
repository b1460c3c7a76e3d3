"""Tables of two runs row by row: those whose rows are neither lines nor ops."""
