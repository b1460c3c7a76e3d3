"""Recordings of where a script's threads stood, which its capture leaves beside each trace."""
