"""Joins over 64-bit ids: equal keys found in linear time, without sorting."""

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: Fibonacci hashing spreads consecutive ids over the table (Knuth, TAOCP 6.4)."""

_SMALL_BITS = 12


def _table_bits(count: int) -> int:
    """Bits of a hash table that stays at most half full."""
    return max(4, int(2 * count).bit_length())


@kernel
def _dense_ids(keys: Int64, bits: int, table: Int32, ids: Int32, firsts: Int32) -> int:
    """How many distinct keys there are; -1 where they are more than half of the table."""
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    count = 0
    for row in range(len(keys)):
        key = keys[row]
        slot = np.int64((np.uint64(key) * _MULTIPLIER) >> shift)
        while table[slot] >= 0 and keys[firsts[table[slot]]] != key:
            slot = (slot + 1) & mask
        if table[slot] < 0:
            if 2 * count > mask:
                return -1
            table[slot] = count
            firsts[count] = row
            count += 1
        ids[row] = table[slot]
    return count


@kernel
def _find(keys: Int64, firsts: Int32, table: Int32, bits: int, wanted: Int64, rows: Int32) -> None:
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    for row in range(len(wanted)):
        key = wanted[row]
        slot = np.int64((np.uint64(key) * _MULTIPLIER) >> shift)
        while table[slot] >= 0 and keys[firsts[table[slot]]] != key:
            slot = (slot + 1) & mask
        rows[row] = firsts[table[slot]] if table[slot] >= 0 else -1


def _index(keys: Int64) -> tuple[Int32, Int32, Int32, int]:
    ids = np.empty(len(keys), dtype=np.int32)
    firsts = np.empty(len(keys), dtype=np.int32)
    # Most columns have few distinct keys, for which a table that stays in the processor's cache will do.
    whole = _table_bits(len(keys))
    for bits in (min(_SMALL_BITS, whole), whole):
        table = np.full(1 << bits, -1, dtype=np.int32)
        count = _dense_ids(keys, bits, table, ids, firsts)
        if count >= 0:
            break
    return ids, firsts[:count], table, bits


def dense_ids(keys: Int64 | Int32) -> tuple[Int32, Int32]:
    """Number the distinct keys in order of appearance.

    Returns the number of each row's key, and for each number the first row that holds the key.
    """
    ids, firsts, _, _ = _index(np.ascontiguousarray(keys, dtype=np.int64))
    return ids, firsts


def find_rows(keys: Int64 | Int32, wanted: Int64 | Int32) -> Int32:
    """For each wanted key, the first row of ``keys`` that equals it; -1 where there is none."""
    rows = np.full(len(wanted), -1, dtype=np.int32)
    if len(keys) and len(wanted):
        contiguous = np.ascontiguousarray(keys, dtype=np.int64)
        _, firsts, table, bits = _index(contiguous)
        _find(contiguous, firsts, table, bits, np.ascontiguousarray(wanted, dtype=np.int64), rows)
    return rows
