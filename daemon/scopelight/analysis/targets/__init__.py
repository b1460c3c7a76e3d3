"""Comparing targets: what one script would do on several TPUs, or with several values of one of its arguments."""
