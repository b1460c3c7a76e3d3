"""Whether predicted programs fit, against what their compiler says, and what would make them smaller."""

import json
import math
import shutil

import pytest

from made.findings import codes, values
from made.predictions import ALL, KERNELS, MESH, NO_ROOM, SCAN
from scopelight.analysis.advice.view import advice
from scopelight.analysis.memory.fit.view import fit
from scopelight.analysis.memory.options import FitOptions, ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_viewer
from scopelight.analysis.options import NoOptions
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.analysis.subject import Subject
from scopelight.formats.hlo.reader import read_hlo_file
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.model.opening.profile import open_profile
from scopelight.model.profile import recorded_paths
from scopelight.model.run.prediction import read_prediction
from scopelight.source.workspace import line_options

GIBIBYTE = 1 << 30
PAGE_BYTES = 16 << 10
STEP = """HloModule jit_step, is_scheduled=true

ENTRY %main (x: f32[8192,2]) -> f32[8192,2] {
  %x = f32[8192,2]{1,0:T(8,128)} parameter(0), metadata={op_name="cache['keys']"}
  ROOT %sine = f32[8192,2]{1,0:T(8,128)} sine(%x)
}
"""


def asked(run):
    """A run with the text of its sources."""
    profile = open_profile(run)
    return Subject.of(profile, line_options(profile))


def fitted(run, program=None):
    return fit(asked(run), FitOptions(program))


@pytest.fixture
def changed(tmp_path):
    """``changed(run, number, **fields)``: a run with something else said of one of its programs."""

    def change(run, number, **fields):
        place = tmp_path / run.name
        shutil.copytree(run, place)
        said = json.loads((place / "prediction.json").read_text())
        for each in said["programs"]:
            if each["number"] == number:
                each.update(fields)
        (place / "prediction.json").write_text(json.dumps(said))
        return place

    return change


@pytest.mark.parametrize("run", ALL, ids=lambda run: run.name)
def test_lines_arguments_and_the_rest_are_the_peak(run):
    for program in fitted(run).programs:
        record = fitted(run, program.program_id)
        parts = sum(each.bytes for each in (*record.lines, *record.arguments)) + record.rest_bytes
        assert parts == record.peak_bytes == program.peak_bytes
        assert record.rest_bytes >= 0


@pytest.mark.parametrize("run", ALL, ids=lambda run: run.name)
def test_what_is_needed_is_what_the_compiler_says(run):
    said = {str(each.number): each for each in read_prediction(run).programs}
    for program in fitted(run).programs:
        compiler = said[program.program_id]
        if compiler.memory is None:
            # Its message has two digits after the point.
            stated = compiler.message.partition("temporaries (")[2].partition("G)")[0]
            assert f"{program.needed_bytes / GIBIBYTE:.2f}" == stated
            assert program.fits is False
            continue
        memory = compiler.memory
        stated = memory.argument_bytes + memory.output_bytes - memory.alias_bytes + memory.temporary_bytes
        # It states temporaries in whole pages, and constants not at all.
        assert abs(math.ceil(program.needed_bytes / PAGE_BYTES) - math.ceil(stated / PAGE_BYTES)) <= 1
        assert program.peak_bytes <= program.needed_bytes
        assert program.fits is True


@pytest.mark.parametrize("run", ALL, ids=lambda run: run.name)
def test_the_peak_is_the_compilers_own(run):
    """It states one number: what is there throughout, and the most that any memory space takes besides."""
    for said in read_prediction(run).programs:
        if said.memory is None or said.memory.peak_bytes is None:
            continue
        record = memory_viewer(asked(run), ProgramMemoryOptions(str(said.number)))
        totals = record.totals
        (module,) = [each for each in record.modules if each.program_id == str(said.number)]
        others = [space.peak_bytes for space in module.memory_spaces if space.number != 0]
        most = max(totals.temporary_without_fragmentation_bytes, *others, 0)
        assert totals.indefinite_bytes + most == said.memory.peak_bytes


def test_a_run_that_does_not_fit_says_so_first():
    record = fitted(NO_ROOM)
    assert codes(record)[0] == "does-not-fit-target"
    said = values(record, "does-not-fit-target")
    assert (said["unfit"], said["programs"], said["unknown"]) == (1, 2, 0)
    assert said["available_bytes"] == 15.75 * GIBIBYTE
    assert [each.fits for each in record.programs] == [False, True]
    assert record.programs[0].program_id == record.program_id
    page = overview(asked(NO_ROOM), OverviewOptions())
    assert codes(page, "error") == ["does-not-fit-target"]


@pytest.mark.parametrize(("run", "available"), [(SCAN, 15.75), (MESH, 15.75), (KERNELS, 31.24)])
def test_a_run_that_fits_says_of_how_much(run, available):
    record = fitted(run)
    said = values(record, "fits-target")
    assert said["available_bytes"] == round(available * GIBIBYTE)
    assert said["needed_bytes"] == max(each.needed_bytes for each in record.programs)
    assert record.savings == ()


def test_what_would_help_is_what_the_plan_has():
    record = fitted(NO_ROOM)
    found = {}
    for each in record.savings:
        found.setdefault(each.code, []).append(each)
        assert 0 < each.saving_bytes < record.programs[0].needed_bytes
    # Sixteen weights of half a GiB, of which the gradients have the shapes.
    (donation,) = found["donate-to-fit"]
    assert donation.saving_bytes == 8 * GIBIBYTE
    assert (donation.values["arguments"], donation.values["replaced"]) == (("weights",), False)
    assert donation.action is None
    assert donation.line == 16
    sharded = {each.values["argument"]: each.saving_bytes for each in found["shard-argument-to-fit"]}
    assert sharded == {"weights": 8 * GIBIBYTE * 7 // 8, "x": GIBIBYTE * 7 // 8}
    (kept,) = found["checkpoint-to-fit"]
    (line,) = [each for each in record.lines if each.line == kept.line]
    # Each layer's input: some lie where gradients will, which the plan counts as theirs.
    assert kept.values["buffers"] == 15
    assert kept.saving_bytes == GIBIBYTE + 14 * GIBIBYTE // 2 > line.residual_bytes
    (made,) = found["shard-temporaries-to-fit"]
    assert made.saving_bytes <= made.values["held_bytes"] * 7 / 8
    least = values(record, "least-when-sharded")["least_bytes"]
    everything = made.saving_bytes + sum(sharded.values())
    assert least == record.programs[0].needed_bytes - everything


def test_what_would_help_is_the_advice_of_such_a_run():
    record = advice(asked(NO_ROOM), NoOptions())
    assert [each.code for each in record.findings] == [each.code for each in fitted(NO_ROOM).savings]
    assert not any(code.endswith("-to-fit") for code in codes(advice(asked(SCAN), NoOptions())))


def test_what_is_kept_to_compute_something_again_is_not_to_be_computed_again(changed):
    """The carries of a scan whose body is recomputed, and weights that were cast once for both passes."""
    run = changed(SCAN, 2, outcome="no-room", message="temporaries (2.15G) exceeds available HBM (1.00G)", memory=None)
    record = fitted(run)
    assert sum(each.residual_bytes for each in record.lines) > 0
    assert "checkpoint-to-fit" not in [each.code for each in record.savings]
    assert "shard-temporaries-to-fit" in [each.code for each in record.savings]


def test_of_what_does_not_fit_the_users_own_program_is_said_first(changed):
    """Of the two, the one that fits in truth takes more here, and is made by a lambda that has no line."""
    jax_own = {"outcome": "no-room", "needed_bytes": 99 * GIBIBYTE, "available_bytes": round(15.75 * GIBIBYTE)}
    run = changed(NO_ROOM, 1, **jax_own, file=None, name="jit(_normal)")
    record = fitted(run)
    assert [each.fits for each in record.programs] == [False, False]
    assert [each.name for each in record.programs] == ["jit_step", "jit(_normal)"]
    assert record.programs[0].needed_bytes < record.programs[1].needed_bytes
    found = values(record, "does-not-fit-target")
    assert (found["program"], found["unfit"]) == ("jit_step", 2)
    assert record.program_id == "2"


def test_without_a_program_the_message_says_what_is_needed(changed):
    record = fitted(changed(NO_ROOM, 2, file=None))
    first = record.programs[0]
    assert (first.needed_bytes, first.needed_basis, first.program_id) == (25 * GIBIBYTE, "message", None)
    assert first.fits is False
    # What is left to be looked at is the other program.
    assert record.program_id == "1"


def test_a_message_that_says_no_sizes_leaves_them_unknown(changed):
    unknown = {"needed_bytes": None, "available_bytes": None, "memory": None}
    run = changed(NO_ROOM, 2, file=None, message="RESOURCE_EXHAUSTED: CompileTimeHbmOom: too much", **unknown)
    first = fitted(run).programs[0]
    assert (first.needed_bytes, first.available_bytes) == (None, 15.75 * GIBIBYTE)
    assert first.fits is False


def test_where_nothing_says_it_nothing_is_said(changed):
    record = fitted(changed(NO_ROOM, 2, outcome="crashed", message="", file=None))
    assert [each.fits for each in record.programs] == [True, None]
    assert values(record, "fits-target")["unknown"] == 1


def test_a_program_without_the_compilers_plan_has_an_estimated_one(changed):
    run = changed(NO_ROOM, 2, file="programs/step.hlo.pb")
    program = read_hlo_file(NO_ROOM / "programs" / "jit_step_.2.hlo.pb.xz")
    program.ClearField("buffer_assignment")
    (run / "programs" / "step.hlo.pb").write_bytes(program.SerializeToString())
    record = fitted(run)
    assert record.basis == "estimated"
    assert "buffers-estimated" in codes(record, "warning")
    assert record.programs[0].needed_basis == "message"
    assert record.peak_bytes > 16 * GIBIBYTE


def test_padding_is_what_arrays_take_beyond_their_elements(changed):
    sizes = {"needed_bytes": 10 << 20, "available_bytes": 1 << 20}
    run = changed(NO_ROOM, 2, file="programs/step.hlo.pb", **sizes)
    program = parse_hlo_text(STEP, where="")
    (run / "programs" / "step.hlo.pb").write_bytes(program.SerializeToString())
    record = fitted(run)
    (padded,) = [each for each in record.savings if each.code == "pad-less-to-fit"]
    assert padded.values["argument"] == "cache"
    assert padded.saving_bytes == 8192 * (128 - 2) * 4


def test_programs_that_nobody_judged_are_held_against_the_device():
    """A compiled program alone says for what it is, and nothing of what there is."""
    record = fitted(NO_ROOM / "programs" / "jit_step_.2.hlo.pb.xz")
    (program,) = record.programs
    assert program.needed_bytes == fitted(NO_ROOM).programs[0].needed_bytes
    assert program.outcome is None
    assert codes(record, "error") == []


def test_what_does_not_fit_does_not_run():
    """It has a plan of memory, lines that the plan is for, and no time."""
    profile = open_profile(NO_ROOM)
    ran = {profile.executions.programs[row].name for row in profile.runs.program.tolist()}
    assert ran == {"jit__lambda"}
    assert {each.name for each in profile.programs} == {"jit__lambda", "jit_step"}
    assert "/home/user/project/without_room.py" in recorded_paths(profile)
    page = overview(asked(NO_ROOM), OverviewOptions())
    assert all(each.value is None or each.value <= 1 for each in page.summary if each.quantity.endswith("-flops"))
