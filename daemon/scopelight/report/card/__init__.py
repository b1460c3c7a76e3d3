"""The card of a line: the short one that is read under the pointer, and all its facts, to be copied."""
