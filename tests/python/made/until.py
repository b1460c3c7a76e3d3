"""Waiting for what other threads do."""

import time

LONGEST_WAIT_SECONDS = 20.0


def until(is_so, seconds=LONGEST_WAIT_SECONDS):
    """Return when it is so; fail where it takes too long."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.001)
