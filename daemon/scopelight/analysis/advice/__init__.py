"""Advice: what would make a script faster or smaller, by how much at best, and where."""
