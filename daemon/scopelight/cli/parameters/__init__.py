"""What commands are given: paths, sizes, times, options of views, a script with its own arguments."""
