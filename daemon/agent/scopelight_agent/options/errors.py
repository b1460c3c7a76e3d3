"""What is wrong with the options of a job, in a sentence for the user."""


class OptionsError(Exception):
    """A sentence says which option is wrong, and what it may be: the job runs on without a capture."""
