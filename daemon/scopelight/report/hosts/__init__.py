"""Hosts, links and clocks in the terminal."""
