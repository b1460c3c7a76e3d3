"""Commands that captures and readings of running jobs share their parts with."""
