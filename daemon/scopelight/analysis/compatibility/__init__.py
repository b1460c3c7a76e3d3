"""What a TPU would do with each op of a script's programs, by line, function, scope and program."""
