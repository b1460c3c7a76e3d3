"""Hosts: what each host, device and link costs the steps that they take together, and why."""
