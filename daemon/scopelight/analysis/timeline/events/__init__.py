"""Events: what is known of one slice, of a selection of them, and of what led to them."""
