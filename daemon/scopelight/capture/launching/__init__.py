"""Capture by launching a script: its interpreter, its process, and what to do at each moment of its life."""
