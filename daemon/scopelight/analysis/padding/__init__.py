"""Padding: arrays that tiles round up, and products that do not fill the matrix unit."""
