"""Measures what this machine can do at most, one JSON object per line as soon as it is known.

Runs as a script in the user's interpreter, on Python 3.10 and jax 0.6 and later. Each rate is the best of several
rounds, for whatever else runs can only lower it. Measuring stops when the seconds that it was given are over.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

ROUND_SECONDS = 0.03
"""A round takes at least so long, or is of the largest size."""
ROUNDS = 5
RATE_SECONDS = 0.25
"""Rounds of one rate end after so long."""
LARGEST = 4096
COPIED_BYTES = 256 << 20
"""Copied at once at least: more than caches hold. Every core copies `COPIED_BYTES_PER_CORE` at least."""
COPIED_BYTES_PER_CORE = 32 << 20
CACHED_BYTES = (16 << 10, 64 << 10, 256 << 10, 1 << 20)
"""Arrays of these sizes are copied out of a core's caches and into them. The best of the sizes counts, which nothing
that a core does exceeds by much."""
CACHED_COPIES = 256
"""At most so many copies are one call of numpy's, which holds no lock meanwhile."""
CACHE_LINE_BYTES = 64


def tell(**known: object) -> None:
    """Say what is known, at once: the process may be ended at any time."""
    print(json.dumps(known), flush=True)


def busy_seconds() -> tuple[float, float] | None:
    """Processor time that all processes have taken, and that this one has; None where the system does not say."""
    try:
        with open("/proc/stat", encoding="ascii") as file:  # noqa: PTH123
            columns = [int(each) for each in file.readline().split()[1:]]
    except (OSError, ValueError):
        return None
    # user nice system idle iowait irq softirq steal: idle and iowait are the time that nobody took.
    taken = sum(columns[:3]) + sum(columns[5:8])
    return taken / os.sysconf("SC_CLK_TCK"), time.process_time()


def others_ratio(before: "tuple[float, float] | None", began: float) -> "float | None":
    """Share of the processors that other processes took since `busy_seconds` was ``before``; None where unknown."""
    after = busy_seconds()
    if before is None or after is None:
        return None
    others = (after[0] - before[0]) - (after[1] - before[1])
    return max(0.0, others) / (time.monotonic() - began) / (os.cpu_count() or 1)


def best_seconds(work: Callable[[], object], until: float) -> float:
    """The shortest of several rounds."""
    best = float("inf")
    began = time.monotonic()
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
        if time.monotonic() > min(until, began + RATE_SECONDS):
            break
    return best


def product_rate(jax: Any, element_type: str, until: float) -> float:  # noqa: ANN401 (a module of the user's)
    """FLOP/s of a square matrix product as jax computes it, of the size at which a round takes long enough."""
    wide = {"preferred_element_type": "int32"} if element_type == "int8" else {}
    product = jax.jit(lambda left, right: jax.numpy.matmul(left, right, **wide))
    size = 512
    while True:
        matrix = jax.numpy.ones((size, size), element_type)
        product(matrix, matrix).block_until_ready()
        start = time.perf_counter()
        product(matrix, matrix).block_until_ready()
        seconds = time.perf_counter() - start
        # The next size takes eight times as long.
        if seconds >= ROUND_SECONDS or size >= LARGEST or time.monotonic() + 20 * seconds > until:
            break
        size *= 2
    seconds = min(seconds, best_seconds(lambda: product(matrix, matrix).block_until_ready(), until))
    return 2.0 * size**3 / seconds


def copy_rate(cores: int, available_bytes: int, until: float) -> float:
    """Bytes read and written per second while all cores copy arrays that no cache holds."""
    import numpy  # noqa: PLC0415 (jax brings it)

    wanted = max(COPIED_BYTES, cores * COPIED_BYTES_PER_CORE)
    each = min(wanted, available_bytes // 8) // cores
    if each < wanted // cores // 4:
        raise MemoryError(f"only {available_bytes >> 20} MiB of memory are free")
    # Written once beforehand, so that no copy waits for pages.
    sources = [numpy.ones(each, numpy.uint8) for _ in range(cores)]
    targets = [numpy.ones(each, numpy.uint8) for _ in range(cores)]
    with ThreadPoolExecutor(cores) as pool:
        return 2.0 * each * cores / best_seconds(lambda: list(pool.map(numpy.copyto, targets, sources)), until)


def cache_rate(cores: int, until: float) -> float:
    """Bytes read and written per second while all cores copy arrays that their caches hold."""
    import numpy  # noqa: PLC0415 (jax brings it)

    def windows(size: int, copies: int) -> Any:  # noqa: ANN401 (an array of numpy's)
        # Rows that lie a cache line apart: all of them together are hardly larger than one, and numpy copies one after
        # the other in a single call.
        array = numpy.ones(size + CACHE_LINE_BYTES * copies, numpy.uint8)
        return numpy.lib.stride_tricks.as_strided(array, (copies, size), (CACHE_LINE_BYTES, 1))

    best = 0.0
    with ThreadPoolExecutor(cores) as pool:
        for size in CACHED_BYTES:
            copies = min(CACHED_COPIES, size // (4 * CACHE_LINE_BYTES))
            sources, targets = [[windows(size, copies) for _ in range(cores)] for _ in range(2)]
            calls = max(1, COPIED_BYTES_PER_CORE // (size * copies))

            def copy(target: Any, source: Any, calls: int = calls) -> None:  # noqa: ANN401
                for _ in range(calls):
                    numpy.copyto(target, source)

            work = lambda copy=copy, all_of=(targets, sources): list(pool.map(copy, *all_of))  # noqa: E731
            best = max(best, 2.0 * size * copies * calls * cores / best_seconds(work, until))
            if time.monotonic() > until:
                break
    return best


def main(seconds: float, cores: int, available_bytes: int, known: "frozenset[str]") -> None:
    """Measure for at most so many seconds, what is asked for most first; what is ``known`` need not be measured again.

    Copying comes before jax, whose import alone may take all of the time on a busy machine.
    """
    until = time.monotonic() + seconds
    before, began = busy_seconds(), time.monotonic()
    if "bandwidth" not in known:
        try:
            tell(bytes_per_s=copy_rate(cores, available_bytes, until))
        except MemoryError as error:
            tell(problem=f"main memory was not copied: {error}")
        tell(cache_bytes_per_s=cache_rate(cores, until))
    import jax  # noqa: PLC0415 (its import is part of the time)

    configuration: Any = jax.config
    configuration.update("jax_enable_x64", True)
    tell(jax=jax.__version__)
    if "f32" not in known:
        tell(flops_per_s={"f32": product_rate(jax, "float32", until)})
    ratio = others_ratio(before, began)
    if ratio is not None:
        tell(others_ratio=ratio)
    for name, element_type in (("f64", "float64"), ("bf16", "bfloat16"), ("f16", "float16"), ("s8", "int8")):
        if time.monotonic() > until - RATE_SECONDS:
            break
        try:
            tell(flops_per_s={name: product_rate(jax, element_type, until)})
        except Exception as error:
            tell(problem=f"{name}: {type(error).__name__}")


if __name__ == "__main__":
    # The machine's own rates: an accelerator that is there as well stays out of it.
    os.environ["JAX_PLATFORMS"] = "cpu"
    main(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), frozenset(sys.argv[4:]))
