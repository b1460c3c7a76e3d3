"""The table of views: what each is asked with, what it answers with, and what it needs of a run."""
