"""FLOPs of whole models, compiled for every kind of TPU, are those that the compiler counts."""

import json
import subprocess
from pathlib import Path

import pytest

from made import scripts
from made.one_pass import one_pass_flops
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.table import op_table
from scopelight.model.opening.profile import open_profile

COMPILE = Path(scripts.__file__).with_name("compile_models.py")
COMPILE_TIMEOUT_SECONDS = 900
TOPOLOGIES = ("v4:2x2x1", "v5e:2x2", "v5p:2x2x1", "v6e:2x2", "tpu7x:2x2x1")
MODELS = ("language_model", "language_model_step", "convolution_net", "convolution_net_step")
WINDOWS = {
    # What the compiler counts, and what of it is with padding: outputs times positions, less one where one is real.
    "whole_row": (512 + 15, 0),
    "whole_row_of_three": (8 * 64 + 15, 0),
    "whole_long_row": (512 + 2047, 0),
    "every_other_of_the_row": (512 * 8 * 30, 512 * 8 * (30 - 15)),
    "wide_padding": (512 * 16 * 32, 512 * 16 * (32 - 15)),
    "cumulative": (512 * 16 * 15, 512 * sum(range(16))),
    "same": (512 * 16 * 2, 512 * 2),
}


@pytest.fixture(scope="module", params=TOPOLOGIES)
def compiled_models(request, tpu_python, tmp_path_factory):
    """What the compiler for that kind of TPU counts of each program, and the folder of the programs."""
    folder = tmp_path_factory.mktemp("models")
    ran = subprocess.run(
        [tpu_python, COMPILE, request.param, folder],
        capture_output=True,
        text=True,
        timeout=COMPILE_TIMEOUT_SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1]), folder


def table_of(folder, name):
    (program,) = (folder / name).glob(f"*jit_{name}.*after_optimizations.hlo.pb")
    return op_table(open_profile(program))


@pytest.mark.parametrize("name", MODELS)
def test_the_flops_of_a_model_are_the_compilers(compiled_models, name):
    said, folder = compiled_models
    table = table_of(folder, name)
    assert one_pass_flops(table) == pytest.approx(said[name], rel=0.001)
    counted = flops_record(table).rows[0]
    assert counted.flops == sum(entry.row.flops or 0 for entry in table.entries)
    # Borders of poolings are all the padding that there is, and nothing is computed again.
    assert 0.99 * counted.flops < counted.model_flops <= counted.flops
    assert counted.padded_flops > counted.flops
    assert counted.recompute_ratio == 0


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_are_counted_by_the_rule_that_is_stated(compiled_models, name):
    said, folder = compiled_models
    counted = flops_record(table_of(folder, name)).rows[0]
    flops, in_padding = WINDOWS[name]
    assert counted.flops == said[name] == flops
    assert counted.flops - counted.model_flops == in_padding
