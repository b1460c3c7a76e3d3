"""Rules that no script on a CPU shows, on runs that are made by hand."""

import lzma

import attrs
import numpy as np
import pytest

from made.executions import executions_of, profile_of_executions
from made.host.idle import OPTIONS, TRAIN, Thread, at, frame, idle_profile, stands
from made.host.input_host import GET_OPTIONS, MAIN_STACKS, input_profile
from made.host.input_host import stands as of_stacks
from made.program.programs import MadeProgram, profile_of
from made.program.training_loops import marks
from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.executions import Op
from scopelight.model.host.states import HostState
from scopelight.model.opening.profile import open_profile
from scopelight.model.stated_peaks import StatedPeaks

MS = 1_000_000_000
STEPS, STEP_MS = 5, 30
GATHER = Op("all-gather.1", "all-gather", 0, stack=(frame(6),))
COMPUTE = Op("fusion.1", "fusion", 0, stack=(frame(5),))


def run(of_step, *, lanes=None, kind="tpu", name="TPU v5e", modules=(), programs=(), options=OPTIONS):
    """What is advised on steps of 30 ms, in each of which these ops run: (op, begin, end) in ms."""
    rows = [
        (op, (at * STEP_MS + begin) * MS, (at * STEP_MS + end) * MS)
        for at in range(STEPS)
        for op, begin, end in of_step
    ]
    executions = executions_of(rows, lanes=None if lanes is None else lanes * STEPS, kind=kind)
    devices = tuple(attrs.evolve(each, stated=StatedPeaks(name=name)) for each in executions.devices)
    profile = attrs.evolve(
        profile_of_executions(attrs.evolve(executions, devices=devices), STEPS * STEP_MS * MS),
        step_marks=(marks([at * STEP_MS * MS for at in range(STEPS)], STEP_MS * MS),),
        modules=modules,
        programs=programs,
    )
    return {each.code: each for each in advice_record(Subject.of(profile, options)).findings}


class TestCommunication:
    def test_is_said_with_its_time_where_nothing_computes_meanwhile(self):
        found = run([(COMPUTE, 0, 20), (GATHER, 20, 30)])["exposed-communication"]
        assert found.saving_per_step_ps == 10 * MS
        assert found.values["exposed_ratio"] == pytest.approx(1 / 3)

    def test_that_is_hidden_is_not_said(self):
        assert "exposed-communication" not in run([(COMPUTE, 0, 29), (GATHER, 5, 15)], lanes=[0, 1])

    def test_of_a_part_that_is_hidden_the_rest_is_said(self):
        found = run([(COMPUTE, 0, 20), (GATHER, 15, 28)], lanes=[0, 1])["exposed-communication"]
        assert found.saving_per_step_ps == 8 * MS

    def test_among_threads_of_one_host_is_none(self):
        assert "exposed-communication" not in run([(COMPUTE, 0, 20), (GATHER, 20, 30)], kind="cpu")


def loading(kept_elements, argument_elements=1_000_000_000):
    """A program that keeps what its forward pass computes for the backward pass: its message."""
    made = MadeProgram()
    weights = made.instruction("parameter", argument_elements, parameter_number=0)
    made.allocation(made.size(weights), (weights, 0), is_entry_computation_parameter=True, parameter_number=0)
    kept = made.instruction("exponential", kept_elements, weights, op_name="jit(step)/jvp(loss)/exp", place=(TRAIN, 5))
    out = made.instruction(
        "multiply", 1000, kept, weights, op_name="jit(step)/transpose(jvp(loss))/mul", place=(TRAIN, 6)
    )
    made.allocation(made.size(kept), (kept, 0))
    made.allocation(made.size(out), (out, 0), maybe_live_out=True)
    made.trace((0, kept), (1, kept))
    return made.finish(out)


class TestMemory:
    """Of a chip of 16 GiB."""

    @staticmethod
    def advised(kept_elements, **how):
        compiled = profile_of(loading(kept_elements), ids=["7"])
        return run([(COMPUTE, 0, 20)], programs=compiled.programs, modules=compiled.modules, **how)

    def test_near_its_capacity_is_said_with_what_is_kept_for_the_backward_pass(self):
        found = self.advised(3_000_000_000)
        near, kept = found["memory-near-capacity"], found["residuals-worth-checkpoint"]
        assert near.values["capacity_bytes"] == 16 * 2**30
        assert near.values["peak_bytes"] == pytest.approx(16_000_000_000, rel=0.001)
        assert (kept.line, kept.saving_bytes) == (5, 12_000_000_000)

    def test_with_room_left_residuals_alone_are_said(self):
        assert set(self.advised(2_300_000_000)) == {"residuals-worth-checkpoint"}

    def test_with_much_room_nothing_is_said(self):
        assert not self.advised(1_000_000_000)

    def test_of_a_host_is_not_its_own(self):
        assert not self.advised(3_000_000_000, kind="cpu")


class TestMatrixUnit:
    def test_products_far_below_the_peak_are_said_by_line_and_type(self, shared_data):
        path = next((shared_data / "mi355x-te-attention").glob("*.xplane.pb"))
        found = {each.code: each for each in advice_record(Subject.of(open_profile(path))).findings}
        advised = found["low-matrix-unit-use"]
        assert advised.values["types"] == ("bf16",)
        assert 0 < advised.values["used_ratio"] < 0.5
        wasted_ratio = (1 - advised.values["used_ratio"]) * advised.values["wall_ratio"]
        assert advised.saving_ratio == pytest.approx(wasted_ratio, rel=0.01)


class TestPadding:
    """Sizes that fit no tile of a TPU, in a program that was compiled for one."""

    @pytest.fixture
    def ran(self, shared_data, tmp_path):
        """Run one op of the program for 29 ms of each step; and the lines of its script."""
        folder = shared_data / "tpu-v5e-awkward"
        path = tmp_path / "train_step.hlo.pb"
        path.write_bytes(lzma.decompress((folder / "after_optimizations.hlo.pb.xz").read_bytes()))
        (module,) = open_profile(path).modules
        module = attrs.evolve(module, program_id="7")

        def of(name):
            op = Op(name, "", 0, module, module.by_name[name], stack=module.by_name[name].stack)
            return run([(op, 0, 29)], modules=[module], options=LineOptions())

        return of, (folder / "awkward.py").read_text().splitlines()

    def test_products_of_sizes_that_leave_much_of_the_unit_empty_are_said_on_their_line(self, ran):
        run_of, lines = ran
        found = run_of("fusion.115")["padding"]
        assert 'jnp.einsum("btm,mhd->bthd"' in lines[found.line - 1]
        assert found.values["used_ratio"] == pytest.approx(80 / 128 * 960 / 1024)
        assert 0 < found.saving_per_step_ps <= (1 - found.values["used_ratio"]) * 29 * MS

    def test_of_little_padding_nothing_is_said(self, ran):
        run_of, _ = ran
        assert "padding" not in run_of("convolution_add_fusion")


def stalled(slow, *, elsewhere=()):
    """What is advised on 40 steps of 10 ms, of which some are 60 ms longer.

    The device works for 6 ms of each; the script launches on line 6, waits on line 7, and in ``slow`` steps stands on
    line 9 for the rest; in those ``elsewhere`` it stays on line 7.
    """
    stacks = [at(line) for line in (6, 7, 9)]
    rows, stood, states, starts, launches = [], [], [], [], []
    now = 0
    for step in range(40):
        starts.append(now)
        launches.append(now)
        stood += [(now, 0), (now + MS, 1), *([(now + 7 * MS, 2)] if step in slow else [])]
        states += [(HostState.DISPATCH, now, now + MS), (HostState.SYNC, now + MS, now + 7 * MS)]
        rows.append((COMPUTE, now + MS, now + 7 * MS))
        now += (70 if step in slow or step in elsewhere else 10) * MS
    lengths = np.diff([*starts, now])
    main = stands(*stood, stacks=stacks)
    made = idle_profile(
        rows,
        Thread(states=tuple(states), stood=main),
        duration_ps=now,
        runs=list(range(len(rows))),
        launches=launches,
        step_marks=(attrs.evolve(marks(starts, 0), duration_ps=lengths),),
    )
    made = input_profile(profile=made, main=main, queues=())
    return {each.code: each for each in advice_record(Subject.of(made, OPTIONS)).findings}


class TestPeriodicStalls:
    def test_are_said_with_their_distance_and_what_they_take(self):
        found = stalled({7, 17, 27, 37})["periodic-stall"]
        assert (found.line, found.values["every_steps"], found.values["slow_steps"]) == (9, 10, 4)
        assert found.saving_per_step_ps == 4 * 60 * MS // 40

    def test_two_are_enough_where_the_script_stands_there_in_no_other_step(self):
        assert stalled({14, 34})["periodic-stall"].values["every_steps"] == 20

    def test_any_two_that_are_long_on_a_line_of_all_steps_are_not_periodic(self):
        assert "periodic-stall" not in stalled((), elsewhere={14, 34})

    def test_what_is_long_for_another_reason_does_not_hide_them(self):
        found = stalled({7, 17, 27, 37}, elsewhere={12, 30})["periodic-stall"]
        assert (found.line, found.values["every_steps"], found.values["slow_steps"]) == (9, 10, 4)

    @pytest.mark.parametrize("slow", [{0, 1, 2}, {3, 4, 5}, {2, 17, 20}, {30, 35, 39}])
    def test_that_come_at_any_time_or_only_once_are_not_periodic(self, slow):
        assert "periodic-stall" not in stalled(slow)


class TestOneTimeForOneAdvice:
    """In each step of 30 ms the device waits 17 ms on the line that feeds it; some of that data is being moved."""

    @staticmethod
    def advised(begin_ms, end_ms, main=None):
        made = input_profile(main=main)
        (states,) = made.host_states
        begin_ps, end_ps = (np.arange(4, dtype=np.int64) * 30 * MS + each * MS for each in (begin_ms, end_ms))
        states = attrs.evolve(
            states,
            state=np.append(states.state, np.full(4, HostState.TRANSFER, dtype=np.int8)),
            start_ps=np.append(states.start_ps, begin_ps),
            end_ps=np.append(states.end_ps, end_ps),
        )
        made = attrs.evolve(made, host_states=[states])
        return {each.code: each for each in advice_record(Subject.of(made, GET_OPTIONS)).findings}

    def test_what_is_moved_where_the_script_feeds_the_steps_is_of_the_input(self):
        found = self.advised(12, 20)
        assert "transfers" not in found
        assert found["input-bound"].saving_ratio == pytest.approx(17 / 30, abs=0.02)

    def test_what_is_moved_elsewhere_is_of_transfers(self):
        stood = ((at * 30 + begin, stack) for at in range(4) for begin, stack in ((0, 2), (27, 1)))
        found = self.advised(12, 20, of_stacks(MAIN_STACKS, *stood))
        assert "input-bound" not in found
        assert found["transfers"].saving_ratio == pytest.approx(8 / 30, abs=0.02)
