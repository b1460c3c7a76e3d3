"""Whether programs fit into the memory of the devices that they are for, and what would make them smaller."""
