"""Jobs that nobody launched: their agents start this side, or are put into them."""
