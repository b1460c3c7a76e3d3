"""Summaries of hosts: kept beside their files, made where there is none, by whatever executes in parallel."""
