"""Which line of a trace a thread of Python is: by the number that the profiler makes of its identifier."""

from typing import Final

_MULTIPLIER: Final = 0xC6A4A7935BD1E995
_SEED: Final = 0xC70F6907
_MASK: Final = (1 << 64) - 1


def line_id_of(ident: int) -> int:
    """The id of the line of a thread by what ``threading.get_ident()`` says in it, where libstdc++ hashes it.

    That is `std::hash<std::thread::id>`: MurmurHash64A over eight bytes (`libstdc++-v3/libsupc++/hash_bytes.cc`).
    """
    mixed = _mix((ident & _MASK) * _MULTIPLIER & _MASK) * _MULTIPLIER & _MASK
    value = (_SEED ^ (8 * _MULTIPLIER & _MASK)) ^ mixed
    value = _mix(value * _MULTIPLIER & _MASK) * _MULTIPLIER & _MASK
    value = _mix(value)
    return value - (1 << 64) if value >> 63 else value


def _mix(value: int) -> int:
    return value ^ (value >> 47)
