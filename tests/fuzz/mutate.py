"""Feeds mutated profiles to the readers and accepts two ends only: success, or one clear `FormatError`.

Every other exception, a signal, more than 10 s for one mutation, or more memory than 4 × file + 300 MB is a
failure; the mutated bytes are kept and the seed is printed. Mutations are chosen by (seed, file name, number)
alone, so a failure can be repeated with --seed, --only and --first.

    python tests/fuzz/mutate.py --count 3000
"""

import argparse
import gzip
import importlib
import io
import json
import lzma
import multiprocessing
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rich.console import Console

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_lines, memory_viewer
from scopelight.analysis.memory.profile.memory_profile import memory_profile
from scopelight.analysis.subject import Subject
from scopelight.analysis.timeline.export import export_timeline
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.formats.errors import FormatError
from scopelight.formats.hlo.reader import hlo_protos, read_hlo_file
from scopelight.formats.pprof.reader import read_pprof
from scopelight.formats.xspace.reader import read_xspace
from scopelight.model.opening.profile import open_profile
from scopelight.report.as_json import as_json
from scopelight.report.findings.worded import in_terminal
from scopelight.views.opening import open_subject, source_text
from scopelight.views.table import VIEWS, function_of

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
LIMIT_S = 10.0
FILE_FACTOR = 4
EXTRA_BYTES = 400_000_000
"""The process itself, and what the allocator keeps of thousands of mutations: the peak is of all of them."""
INTEGERS = ("run_id", "program_id", "device_ordinal", "_p", "_c", "_pt", "_ct")
TEXTS = ("hlo_op", "tf_op", "kernel_details")

LINES_EVERY = 5
MEMORY_EVERY = 20
VIEWS_EVERY = 5
EXPORT_EVERY = 20

Target = Callable[[Path], None]


def read_formats(path: Path) -> None:
    """Exercise the whole formats room on one file, each part whether or not another is refused."""
    if ".hlo" in path.name:
        read_hlo_file(path)
        return
    if path.name.endswith(".prof"):
        read_pprof(path)
        return
    refused: list[FormatError] = []
    chance = random.Random(path.name)

    def attempt(step: Callable[..., object], *arguments: object) -> None:
        try:
            step(*arguments)
        except FormatError as error:
            refused.append(error)

    def sample(count: int, number: int) -> range:
        """About ``number`` rows of ``count``, others in each mutation: every stat has its turn."""
        step = max(1, count // number)
        return range(chance.randrange(step), count, step)

    def read_line(line) -> None:
        events = line.events()
        attempt(events.integer_stats, INTEGERS)
        for name in TEXTS:
            attempt(events.text_stat, name)
        events.order()
        for index in sample(len(events), 3):
            attempt(events.stats, index)

    space = read_xspace(path)
    for plane in space.planes:
        metadata = plane.events_metadata
        attempt(lambda plane=plane: plane.stats)
        attempt(metadata.integer_stats, INTEGERS)
        attempt(metadata.text_stat, "source_stack")
        assert len(metadata.names) == len(metadata.display_names) == len(metadata)
        for row in sample(len(metadata), 60):
            attempt(metadata.stats, row)
        for line in plane.lines:
            attempt(read_line, line)
    attempt(lambda: [attempt(blob.parse) for blob in hlo_protos(space)])
    for error in refused:
        check_sentence(error, path)


def find_lines(path: Path) -> None:
    """The whole way from a file to its lines; what is read must add up."""
    record = hot_lines(open_profile(path))
    assert record.attributed_ps + record.unattributed_ps == record.op_time_ps
    assert sum(line.self_ps for line in record.lines) == record.attributed_ps


def find_memory(path: Path) -> None:
    """What the programs of a file keep in memory, and the lines that it is of."""
    profile = open_profile(path)
    subject = Subject.of(profile)
    record = memory_viewer(subject, ProgramMemoryOptions())
    assert (record.peak_bytes is None) <= any(each.severity == "empty" for each in record.findings)
    for module in record.modules:
        lines = memory_lines(subject, ProgramMemoryOptions(module.program_id))
        if lines.peak_bytes is not None:
            assert sum(line.bytes for line in lines.lines) + (lines.unattributed_bytes or 0) == lines.peak_bytes
    for memory in memory_profile(profile).memories:
        assert sum(row.bytes for row in memory.breakdown) in (0, memory.peak_bytes)
        assert max(sample.heap_bytes + (sample.stack_bytes or 0) for sample in memory.samples) == memory.peak_bytes


def show_view(path: Path) -> None:
    """One view of a file, as the terminal prints it and as JSON, and its timeline for other viewers."""
    view = random.Random(f"view of {path.name}").choice(list(VIEWS.values()))
    subject = open_subject(path, path.parent)
    record = function_of(view.answer)(subject, view.options())
    json.dumps(as_json(record, "terminal"))
    settings: dict[str, Any] = {"base": path.parent, "limit": 20} if view.is_list else {}
    if view.quotes_lines:
        settings["line_text"] = source_text(subject).line
    function_of(view.render)(record, Console(file=io.StringIO(), width=100), **settings)


def export_file(path: Path) -> None:
    """The timeline of a file for other viewers."""
    export_timeline(open_timeline(path), io.StringIO(), in_terminal)


def read_all(path: Path) -> None:
    """The formats room on every mutation, the way to lines, memory and views on some of them: it takes longer."""
    refused: FormatError | None = None
    steps = [read_formats]
    chance = random.Random(f"lines of {path.name}")
    if chance.randrange(LINES_EVERY) == 0:
        steps.append(find_lines)
    if chance.randrange(MEMORY_EVERY) == 0:
        steps.append(find_memory)
    if chance.randrange(VIEWS_EVERY) == 0:
        steps.append(show_view)
    if chance.randrange(EXPORT_EVERY) == 0:
        steps.append(export_file)
    for step in steps:
        try:
            step(path)
        except FormatError as error:
            refused = error
    if refused is not None:
        raise refused


def check_sentence(error: FormatError, path: Path) -> None:
    """One line that names the file and ends like a sentence."""
    sentence = str(error)
    assert path.name in sentence, sentence
    assert "\n" not in sentence, sentence
    assert sentence.endswith("."), sentence


def mutate(original: bytes, chance: random.Random) -> bytes:
    """One to four bit flips, length edits, splices, or a truncation."""
    data = bytearray(original)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        # Headers come first in a message, so the start of the file deserves more than its share.
        end = len(data) if chance.random() < 0.8 else min(len(data), 4096)
        at = chance.randrange(end)
        kind = chance.choice(("flip", "flip", "length", "splice", "repeat", "delete", "truncate"))
        if kind == "flip":
            data[at] ^= 1 << chance.randrange(8)
        elif kind == "length":
            # Spans with one-byte tags: fields 1 to 15 of wire type 2, whose length follows.
            for position in range(at, min(at + 400, len(data) - 1)):
                if data[position] & 0x87 == 2 and data[position] > 7:
                    step = chance.choice((-1, 1, -7, 7, 64, 127, 255))
                    data[position + 1] = (data[position + 1] + step) & 0xFF
                    break
        elif kind == "splice":
            size = chance.choice((1, 2, 8, 100, 5000))
            source = chance.randrange(len(data))
            data[at : at + size] = data[source : source + size]
        elif kind == "repeat":
            filler = bytes([chance.choice((0x00, 0x0A, 0x12, 0x22, 0x7F, 0x80, 0xFF))])
            size = chance.choice((1, 3, 12, 300))
            data[at : at + size] = filler * size
        elif kind == "delete":
            del data[at : at + chance.choice((1, 2, 16, 1000))]
        else:
            del data[at:]
        if not data:
            return b""
    return bytes(data)


def mutation(original: bytes, name: str, seed: int, index: int) -> bytes:
    """Mutation number ``index`` of a file."""
    return mutate(original, random.Random(f"{seed}/{name}/{index}"))


def peak_bytes() -> int:
    """Peak resident memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def work(original: bytes, folder: Path, name: str, seed: int, numbers: range, target: Target, pipe: Connection) -> None:
    """In a child process: run the mutations and tell of each begin, and of each end as (number, outcome)."""
    limit_bytes = FILE_FACTOR * len(original) + EXTRA_BYTES
    for index in numbers:
        path = folder / f"{index}-{name}"
        path.write_bytes(mutation(original, name, seed, index))
        pipe.send((index, "begins"))
        try:
            target(path)
            outcome = "success"
        except FormatError as error:
            check_sentence(error, path)
            outcome = "refused"
        except BaseException as error:
            outcome = f"failed with {type(error).__name__}: {error}"
        if peak_bytes() > limit_bytes:
            outcome = f"failed with {peak_bytes()} bytes of memory, {limit_bytes} are allowed"
        path.unlink()
        pipe.send((index, outcome))
        if outcome.startswith("failed"):
            return


def outcomes(original: bytes, name: str, seed: int, numbers: range, target: Target) -> Iterator[tuple[int, str]]:
    """Run mutations in child processes, a new one after each failure; yields (number, outcome)."""
    context = multiprocessing.get_context("fork")
    left = numbers
    with tempfile.TemporaryDirectory() as folder:
        while left:
            receiver, sender = context.Pipe(duplex=False)
            arguments = (original, Path(folder), name, seed, left, target, sender)
            child = context.Process(target=work, args=arguments, daemon=True)
            child.start()
            sender.close()
            current = left[0]
            try:
                while receiver.poll(LIMIT_S):
                    current, outcome = receiver.recv()
                    if outcome != "begins":
                        yield current, outcome
                        if current == left[-1] or outcome.startswith("failed"):
                            break
                else:
                    yield current, f"failed: no end within {LIMIT_S:.0f} s"
            except EOFError:
                child.join()
                yield current, f"failed: the process ended with {child.exitcode}"
            child.kill()
            child.join()
            receiver.close()
            left = range(current + 1, left.stop)


def real_files() -> Iterator[tuple[str, bytes]]:
    """Every recorded profile and compiled program, as (name, bytes)."""
    for path in sorted(DATA.glob("*/*.xplane.pb")):
        if path.parent.name != "corrupt":
            # Recorded by one machine, several have one name.
            yield f"{path.parent.name}-{path.name}", path.read_bytes()
    for path in sorted(DATA.glob("*/*.hlo.pb.xz")):
        yield path.stem, lzma.decompress(path.read_bytes())
    for path in sorted(DATA.glob("*/*.prof")):
        # As it is, its checksum would refuse nearly every mutation.
        yield path.name, gzip.decompress(path.read_bytes())


def load_target(name: str) -> Target:
    """The function ``module:function`` that takes a path; `read_all` where no name is given."""
    if not name:
        return read_all
    module, function = name.split(":")
    target: Target = getattr(importlib.import_module(module), function)
    return target


def fuzz(name: str, original: bytes, seed: int, numbers: range, target: Target) -> int:
    """Run the mutations of one file; prints a line and each failure, and gives the number of failures."""
    counts = {"success": 0, "refused": 0, "failed": 0}
    began = time.monotonic()
    # The children inherit loaded kernels, but a process of its own compiles them: that takes much memory.
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / name
        whole.write_bytes(original)
        compiler = multiprocessing.get_context("fork").Process(target=lambda: (target(whole), find_lines(whole)))
        compiler.start()
        compiler.join()
        target(whole)
        find_lines(whole)
    for index, outcome in outcomes(original, name, seed, numbers, target):
        counts[outcome.split()[0].rstrip(":")] += 1
        if outcome.startswith("failed"):
            kept = Path(tempfile.mkdtemp(prefix="scopelight-fuzz-")) / f"{index}-{name}"
            kept.write_bytes(mutation(original, name, seed, index))
            print(f"{name}: mutation {index} of seed {seed} {outcome}; kept as {kept}", flush=True)
    seconds = time.monotonic() - began
    told = ", ".join(f"{number} {outcome}" for outcome, number in counts.items())
    print(f"{name}: {len(numbers)} mutations in {seconds:.0f} s: {told}", flush=True)
    return counts["failed"]


def main() -> int:
    """Command line; exits with 1 if any mutation failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=3000, help="mutations of each file")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--target", default="", help="module:function that takes the path of a mutated file")
    options = parser.parse_args()
    files = [(name, original) for name, original in real_files() if options.only in name]
    if not files:
        print(f"There are no recorded profiles in {DATA}.")
        return 1
    numbers = range(options.first, options.first + options.count)
    target = load_target(options.target)
    failures = sum(fuzz(name, original, options.seed, numbers, target) for name, original in files)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
