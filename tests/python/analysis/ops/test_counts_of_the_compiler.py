"""FLOPs of the programs of real captures against XLA's own count of the very programs that the files hold.

XProf counts three and more times as much on GPUs, where it takes the instructions of the machine.
"""

import jax
import pytest

from made.recorded import DATA
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.opening.profile import open_profile

FILES = {"mi300x-elementwise": "tw003.xplane.pb", "mi355x-te-attention": "934987a2fc2f.xplane.pb"}
LIBRARY_FLOPS = {"jit_loss_fn": 2 * 4096 * 6144 * 2048}
"""What a call of a library does, of which XLA says nothing."""
MOST_SCALARS = 12
"""Of scalars XLA knows some before a program runs: FLOPs that it does not count."""

jaxlib = pytest.importorskip("jaxlib._jax", reason="this jaxlib does not count the FLOPs of a module")
jaxlib_hlo = pytest.importorskip("jaxlib._hlo", reason="this jaxlib does not read modules")


def count_of_the_compiler(program):
    """XLA's count of FLOPs, and of bytes, in one run."""
    data = program.parse().hlo_module.SerializeToString()
    module = jaxlib_hlo.HloModule.from_serialized_hlo_module_proto(data)
    found = jaxlib.hlo_module_cost_analysis(jax.devices("cpu")[0].client, module)
    return found.get("flops", 0.0), found.get("bytes accessed", 0.0)


@pytest.mark.parametrize("folder", FILES)
def test_flops_of_programs_are_those_that_xla_counts(folder):
    file = DATA / folder / FILES[folder]
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    profile = open_profile(file)
    of_program = {}
    for row in ops_record(op_table(profile, scope="window")).rows:
        of_program.setdefault(row.program_id, []).append(row)
    compared = 0
    for program in profile.programs:
        rows = of_program.get(program.program_id)
        if rows is None:
            # What ran outside of the window.
            continue
        # One run has each of its ops once.
        ours = sum((row.flops or 0) / row.executions for row in rows)
        flops, _ = count_of_the_compiler(program)
        assert ours - LIBRARY_FLOPS.get(program.name, 0) == pytest.approx(flops, rel=0, abs=MOST_SCALARS), program.name
        compared += flops > 0
    assert compared >= (10 if folder == "mi300x-elementwise" else 1)


def test_bytes_of_programs_of_one_op_are_those_that_xla_counts():
    file = DATA / "mi300x-elementwise" / FILES["mi300x-elementwise"]
    if not file.is_file():
        pytest.skip("../shared/data is absent")
    profile = open_profile(file)
    rows = ops_record(op_table(profile, scope="window")).rows
    compared = 0
    for program in profile.programs:
        of_program = [row for row in rows if row.program_id == program.program_id]
        if len(of_program) == 1 and of_program[0].bytes:
            (row,) = of_program
            assert row.bytes / row.executions == pytest.approx(count_of_the_compiler(program)[1], rel=0.01), row.program
            compared += 1
    assert compared >= 8
