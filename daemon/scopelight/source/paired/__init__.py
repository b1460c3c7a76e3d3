"""Which file and line of one run's recorded sources became which of another's."""
