"""XSpace: the bytes of `*.xplane.pb` files as columns."""
