"""Readers that turn what one backend records into executions."""
