"""Senders: whether one that sends had to wait for its receiver; that depends on what carries the data."""

from scopelight.formats.kernels import kernel


@kernel
def waited_for_receiver(last_ps: int, came_ps: int, left_ps: int, doubt_ps: int) -> bool:
    """Whether a sender waited for a receiver that came later than all else (``last_ps``): it then left after it.

    The times of two hosts may be off by ``doubt_ps``. Who was there for longer than that and by its clock left no more
    than that before the receiver came, left because of it.
    """
    if came_ps <= last_ps:
        return False
    return came_ps <= left_ps or (came_ps - left_ps <= doubt_ps and came_ps - last_ps > doubt_ps)
