"""Steps: where they begin and end, and how long they take."""
