"""What a GPU's profiler says of how a kernel was launched, in words: the stat ``kernel_details``."""

import re

Counters = tuple[tuple[str, str], ...]
"""Names and values as people read them."""

_FACT = re.compile(r"(\w+):(\d[\d.,]*)")
_LONGEST = 1000
_SHARED = ("static_shared", "dynamic_shared", "shm", "group_mem")
"""What CUPTI, in parts or as a whole, and ROCm call shared memory."""


def kernel_counters(kernel: str, details: str) -> Counters:
    """``regs:38 static_shared:0 dynamic_shared:512 grid:160,1,1 block:1024,1,1 occ_pct:50`` as names and values.

    What is not understood is left out, and so is an occupancy of 0, which says that it was not measured.
    """
    facts = dict(_FACT.findall(details[:_LONGEST]))
    found = [("kernel", kernel)]
    if "regs" in facts:
        found.append(("registers per thread", facts["regs"]))
    shared = [int(facts[name]) for name in _SHARED if facts.get(name, "").isdecimal()]
    if shared:
        found.append(("shared memory per block", f"{sum(shared)} B"))
    for name in ("grid", "block"):
        if name in facts:
            found.append((name, " × ".join(facts[name].strip(",").split(","))))
    try:
        occupancy = float(facts.get("occ_pct", "0"))
    except ValueError:
        occupancy = 0.0
    if occupancy > 0:
        found.append(("occupancy", f"{occupancy:.3g} %"))
    return tuple(found)
