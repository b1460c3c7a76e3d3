"""Following a job from its first trace to its end: what its agents say, the windows that are captured of it."""
