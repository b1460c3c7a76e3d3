"""Does a comparison find a tenth more work in one of four parts, and is it quiet where nothing changed?

    python experiment.py FOLDER [--rounds 150] [--only-judge]

makes rounds of three captures each in an order that is drawn: ``a``; ``b``, whose second part has a tenth more passes;
and ``c``, the same as ``a``. Every five rounds that follow on each other are one comparison of ``a`` with ``b`` and
one of ``a`` with ``c``. What is in FOLDER already is not captured again, so that it can be made in parts, and judged
anew. The exit code is 1 where fewer than 27 of 30 changes are found, or more than 2 of 30 comparisons cry wolf.
"""

import argparse
import os
import random
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from scopelight.capture.against.one_round import OneRound
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSpec
from scopelight.formats.errors import FormatError
from scopelight.model.run.information import WindowOptions
from scopelight.model.run.run_file import find_run_information
from scopelight.views.comparing import compare_paths

SCRIPT = Path(__file__).with_name("parts.py")
CHANGED = "long"
"""The function of the part that ``b`` changes."""
SIDES = {"a": 40, "b": 44, "c": 40}
ROUNDS_EACH = 5
STEPS = 20
FOUND_RATIO, FALSE_RATIO = 27 / 30, 2 / 30
SEED = 20


def sides_in(folder):
    """A folder with the script of each side: the same but for the passes."""
    for side, passes in SIDES.items():
        place = folder / "sides" / side
        place.mkdir(parents=True, exist_ok=True)
        text = SCRIPT.read_text(encoding="utf-8").replace("LONG = 40\n", f"LONG = {passes}\n")
        (place / SCRIPT.name).write_text(text, encoding="utf-8")


def is_captured(run):
    try:
        information = find_run_information(run)
    except FormatError:
        return False
    return information is not None and information.state == "captured"


def make(folder, rounds):
    """Capture what is missing."""
    sides_in(folder)
    drawn, took = random.Random(SEED), []
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    for number in range(1, rounds + 1):
        order = drawn.sample(sorted(SIDES), len(SIDES))
        if all(is_captured(folder / side / f"round-{number}") for side in SIDES):
            continue
        began = time.monotonic()
        for side in order:
            out = folder / side / f"round-{number}"
            shutil.rmtree(out, ignore_errors=True)
            spec = LaunchSpec(WindowOptions(steps=STEPS), out, watches_memory=False)
            failure = OneRound(
                Script(SCRIPT.name), sys.executable, folder / "sides" / side, environment, spec
            ).capture()
            if failure is not None:
                print(f"round {number}, {side}: {failure}", flush=True)
        took.append(time.monotonic() - began)
        left = (rounds - number) * sum(took) / len(took)
        load = os.getloadavg()[0]
        print(f"round {number} of {rounds}: {took[-1]:.1f} s at load {load:.1f}, {left / 60:.0f} min left", flush=True)


def judge(folder, rounds):
    """Whether the bars hold; what is in the folder of so many rounds is compared by fives."""
    whole = [
        number
        for number in range(1, rounds + 1)
        if all(is_captured(folder / side / f"round-{number}") for side in SIDES)
    ]
    trials = [whole[at : at + ROUNDS_EACH] for at in range(0, len(whole) - ROUNDS_EACH + 1, ROUNDS_EACH)]
    found = elsewhere = false = 0
    verdicts, visible = Counter(), []
    for numbers in trials:
        a, b, c = ([folder / side / f"round-{number}" for number in numbers] for side in SIDES)
        changed, same = changes(a, b), changes(a, c)
        found += changed.get(CHANGED) == "worse"
        elsewhere += any(verdict in ("worse", "better") for name, verdict in changed.items() if name != CHANGED)
        false += any(verdict in ("worse", "better") for verdict in same.values())
        verdicts.update(f"{name} {verdict}" for name, verdict in same.items())
        visible += [row.visible_ratio for row in parts_of(a, c) if row.visible_ratio is not None]
        print(f"rounds {numbers[0]} to {numbers[-1]}: {changed}; the same: {same}", flush=True)
    print(f"{found} of {len(trials)} changes found; in {elsewhere} of these something else was called changed")
    print(f"{false} of {len(trials)} comparisons of the same code cry wolf: {dict(verdicts)}")
    if visible:
        middle = sorted(visible)[len(visible) // 2]
        print(f"smallest change of a part that would have been seen: {100 * middle:.1f} % (median)")
    return bool(trials) and found >= FOUND_RATIO * len(trials) and false <= FALSE_RATIO * len(trials)


def parts_of(before, after):
    """The rows of the four parts: those with work in them."""
    rows = compare_paths(before, after, "line").rows
    return [row for row in rows if row.kind == "line" and (row.before_flops or 0) > 0]


def changes(before, after):
    """By part its verdict."""
    return {row.function: row.verdict for row in parts_of(before, after)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--only-judge", action="store_true")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if not options.only_judge:
        make(folder, options.rounds)
    return 0 if judge(folder, options.rounds) else 1


if __name__ == "__main__":
    sys.exit(main())
