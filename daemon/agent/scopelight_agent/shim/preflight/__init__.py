"""What a script would have a TPU do: its programs are lowered for one and told, and need not run here."""
