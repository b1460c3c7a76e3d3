"""Ops: what each op took and computed, and how well it used the device."""
