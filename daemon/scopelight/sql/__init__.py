"""Queries in SQL over runs: the tables, what makes them when a query names them, and how a query is shut in."""
