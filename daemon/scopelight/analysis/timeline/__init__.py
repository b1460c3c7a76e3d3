"""The timeline: every slice of a profile on tracks, in windows that are ready to be drawn."""
