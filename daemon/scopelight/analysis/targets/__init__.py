"""Comparing targets: what one script would do on several TPUs or with several values of an argument, and did."""
