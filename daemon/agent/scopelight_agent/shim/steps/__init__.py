"""The script's steps, counted where it runs: when windows of them begin and end, exactly."""
