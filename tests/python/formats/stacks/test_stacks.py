"""Stacks written for other viewers: each format is read again, and its weights sum to what was written, exactly."""

import gzip
import json
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.truth.firefox_schema import check_processed_profile
from scopelight.formats.pprof import pprof_pb2
from scopelight.formats.pprof.writer import pprof
from scopelight.formats.stacks.collapsed import collapsed
from scopelight.formats.stacks.firefox import firefox
from scopelight.formats.stacks.speedscope import speedscope
from scopelight.formats.stacks.weighted import StackFrame, WeightedStacks, decimal

FRAMES = (StackFrame("main", "/w/a.py", 3), StackFrame("<lambda>", "/w/a.py", 9), StackFrame("(without source)", "", 0))
STACKS = WeightedStacks("run", "op time", "ps", FRAMES, {(0,): 1, (0, 1): 2_345_678, (0, 1, 1): 999, (2,): 1 << 52})

texts = st.text(st.characters(codec="utf-8"), max_size=6)
made = st.builds(
    lambda unit, frames, stacks: WeightedStacks(
        "run", "op time", unit, frames, {tuple(row % len(frames) for row in stack): weight for stack, weight in stacks}
    ),
    st.sampled_from(["ps", "flops", "bytes"]),
    st.lists(st.builds(StackFrame, texts, texts, st.integers(0, 999)), min_size=1, max_size=5),
    st.lists(st.tuples(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.integers(1, 1 << 55)), max_size=8),
)


def read_pprof(data):
    """Weights by stack of (function, path, line), outermost first, and the units; checks the rules of the format."""
    profile = pprof_pb2.Profile.FromString(gzip.decompress(data))
    table = [text.decode() for text in profile.string_table]
    assert table[0] == ""
    assert len(set(table)) == len(table)
    functions = {function.id: function for function in profile.function}
    locations = {location.id: location for location in profile.location}
    assert 0 not in functions
    assert 0 not in locations
    assert (len(functions), len(locations)) == (len(profile.function), len(profile.location))
    units = [(table[each.type], table[each.unit]) for each in profile.sample_type]

    def frame(location_id):
        (line,) = locations[location_id].line
        function = functions[line.function_id]
        return table[function.name], table[function.filename], line.line

    samples = Counter(), Counter()
    for sample in profile.sample:
        assert len(sample.value) == len(units)
        stack = tuple(frame(each) for each in reversed(sample.location_id))
        for values, value in zip(samples, sample.value, strict=False):
            values[stack] += value
    return units, samples


def by_frames(stacks):
    """The weights of stacks by what pprof tells of their frames."""
    sums = Counter()
    for stack, weight in stacks.stacks.items():
        told = [stacks.frames[row] for row in stack]
        sums[tuple((frame.function or frame.label, frame.path, frame.line) for frame in told)] += weight
    return sums


@pytest.mark.parametrize(
    ("weight", "unit", "text"),
    [(0, 1000, "0"), (1, 1000, "0.001"), (1500, 1000, "1.5"), (2000, 1000, "2"), (-1, 1000, "-0.001"), (7, 1, "7")],
)
def test_decimals_are_exact(weight, unit, text):
    assert decimal(weight, unit) == text


def test_collapsed_stacks_are_one_line_each():
    assert list(collapsed(STACKS)) == [
        "main (/w/a.py:3) 1\n",
        "main (/w/a.py:3);<lambda> (/w/a.py:9) 2345678\n",
        "main (/w/a.py:3);<lambda> (/w/a.py:9);<lambda> (/w/a.py:9) 999\n",
        f"(without source) {1 << 52}\n",
    ]


@given(made)
def test_collapsed_stacks_are_read_as_they_were_written(stacks):
    lines = "".join(collapsed(stacks)).split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(stacks.stacks)
    for line, (stack, weight) in zip(lines, stacks.stacks.items(), strict=True):
        names, _, number = line.rpartition(" ")
        assert len(names.split(";")) == len(stack)
        assert int(number) == weight


@given(made)
def test_speedscope_has_every_stack_with_its_weight(stacks):
    file = json.loads("".join(speedscope(stacks, "test")), parse_float=Decimal, parse_int=Decimal)
    (profile,) = file["profiles"]
    per_unit = {"nanoseconds": 1000, "none": 1, "bytes": 1}[profile["unit"]]
    assert [tuple(map(int, sample)) for sample in profile["samples"]] == list(stacks.stacks)
    assert [weight * per_unit for weight in profile["weights"]] == list(stacks.stacks.values())
    assert profile["endValue"] * per_unit == stacks.total
    told = [(frame["name"], frame.get("file", ""), frame.get("line", 0)) for frame in file["shared"]["frames"]]
    assert told == [(frame.function or frame.label, frame.path, frame.line) for frame in stacks.frames]


@given(made)
def test_pprof_has_every_stack_with_its_weight(stacks):
    units, (weights, rounded) = read_pprof(pprof(stacks))
    assert weights == by_frames(stacks)
    if stacks.unit == "ps":
        assert units == [("op_time", "picoseconds"), ("time", "nanoseconds")]
        assert abs(sum(rounded.values()) * 1000 - stacks.total) <= 500
    else:
        assert units == [("op_time", {"flops": "count", "bytes": "bytes"}[stacks.unit])]


def test_pprof_of_one_profile_is_one_file():
    assert pprof(STACKS, 5) == pprof(STACKS, 5)
    assert pprof_pb2.Profile.FromString(gzip.decompress(pprof(STACKS, 5))).time_nanos == 5


@given(made)
def test_firefox_has_every_stack_with_its_weight(stacks):
    text = "".join(firefox(stacks, "test", 0.0))
    check_processed_profile(json.loads(text))
    file = json.loads(text, parse_float=Decimal)
    (thread,) = file["threads"]
    shared, samples = file["shared"], thread["samples"]
    per_unit = {"tracing-ms": 10**9, "samples": 1, "bytes": 1}[samples["weightType"]]
    assert [weight * per_unit for weight in samples["weight"]] == list(stacks.stacks.values())

    def frames_of(row):
        found = []
        while row is not None:
            found.append(thread["stackTable"]["frame"][row])
            row = thread["stackTable"]["prefix"][row]
        return tuple(reversed(found))

    assert [frames_of(row) for row in samples["stack"]] == list(stacks.stacks)
    functions = thread["funcTable"]
    for row, frame in enumerate(stacks.frames):
        function = thread["frameTable"]["func"][row]
        assert shared["stringArray"][functions["name"][function]] == (frame.function or frame.label)
        source = functions["source"][function]
        assert (
            shared["stringArray"][shared["sources"]["filename"][source]] if source is not None else ""
        ) == frame.path
        assert (thread["frameTable"]["line"][row] or 0) == frame.line


def test_what_is_no_processed_profile_is_found_out():
    def broken(change):
        profile = json.loads("".join(firefox(STACKS, "test", 0.0)))
        change(profile)
        with pytest.raises(AssertionError):
            check_processed_profile(profile)

    broken(lambda profile: profile["threads"][0]["funcTable"].pop("source"))
    broken(lambda profile: profile["threads"][0]["stackTable"]["frame"].append(0))
    broken(lambda profile: profile["threads"][0]["samples"]["stack"].__setitem__(0, 99))
    broken(lambda profile: profile["meta"].update(preprocessedProfileVersion="58"))
