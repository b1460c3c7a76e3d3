"""One pass over both ends of all flows, which may be tens of millions: no copies of them are made."""

import numpy as np

from scopelight.formats.columns import UInt64
from scopelight.formats.kernels import kernel


@kernel
def keep_shared(one: UInt64, other: UInt64, bits: np.uint64) -> tuple[int, int]:
    """Move to the front of two sorted columns what has a key that the other has too: how many each then begins with.

    A key is what is above the lowest ``bits``.
    """
    at, of_other = 0, 0
    kept, kept_of_other = 0, 0
    while at < len(one) and of_other < len(other):
        key, key_of_other = one[at] >> bits, other[of_other] >> bits
        if key < key_of_other:
            at += 1
        elif key_of_other < key:
            of_other += 1
        else:
            while at < len(one) and one[at] >> bits == key:
                one[kept] = one[at]
                kept += 1
                at += 1
            while of_other < len(other) and other[of_other] >> bits == key:
                other[kept_of_other] = other[of_other]
                kept_of_other += 1
                of_other += 1
    return kept, kept_of_other
