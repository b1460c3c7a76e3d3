"""What became of the shown run's lines since the run that it is compared with."""
