"""Rules that no script on a CPU shows, on runs that are made by hand."""

import lzma

import attrs
import pytest

from made.executions import executions_of, profile_of_executions
from made.host.idle import OPTIONS, TRAIN, frame
from made.program.programs import MadeProgram, profile_of
from made.program.training_loops import marks
from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.executions import Op
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
