"""What would a TPU do? A script is run for the programs that it would compile, and they are compiled elsewhere."""
