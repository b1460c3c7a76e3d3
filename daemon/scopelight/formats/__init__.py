"""Formats: bytes in and out."""
