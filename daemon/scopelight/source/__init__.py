"""Source: from recorded frames to files of this workspace."""
