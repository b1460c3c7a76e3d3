"""The step trace: each step from its interval to its tail, with what the devices did in it by phase."""
