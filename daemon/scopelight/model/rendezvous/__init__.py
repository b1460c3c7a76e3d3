"""Rendezvous: which executions of a collective on different devices met, and what that says of the hosts' clocks."""
