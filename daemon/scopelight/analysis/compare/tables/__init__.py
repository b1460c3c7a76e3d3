"""The rows of one run in each grouping that comparisons know."""
