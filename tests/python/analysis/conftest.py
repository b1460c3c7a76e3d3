"""Profiles for the tests of the analyses: made by hand around modules compiled in the process."""

import importlib.util
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from scopelight.model.executions import Device, Executions, Op, Program, ProgramRuns
from scopelight.model.profile import Profile


@pytest.fixture(scope="session")
def compiled_module(compiled):
    """Compile a function for the CPU into a module."""
    return lambda function, *arguments: compiled(function, *arguments)[0]


@pytest.fixture
def load_source(tmp_path):
    """Write a module of source under the test's folder and import it."""

    def load(name, text):
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        specification = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    return load


@pytest.fixture(scope="session")
def profile_of():
    """A profile of (op, self_ps) executions one after the other on one device, ``device_of`` telling which."""

    def make(rows, *, kind="cpu", device_of=None, capture=None, modules=()):
        ops = list({id(op): op for op, _ in rows}.values())
        position = {id(op): row for row, op in enumerate(ops)}
        self_ps = np.array([time for _, time in rows], dtype=np.int64)
        starts = np.cumsum(self_ps) - self_ps
        devices = np.array(device_of or [0] * len(rows), dtype=np.int32)
        count = int(devices.max(initial=0)) + 1
        empty = np.zeros(0, dtype=np.int64)
        executions = Executions(
            op=np.array([position[id(op)] for op, _ in rows], dtype=np.int32),
            device=devices,
            run=np.full(len(rows), -1, dtype=np.int32),
            lane=np.zeros(len(rows), dtype=np.int32),
            start_ps=starts,
            duration_ps=self_ps,
            self_ps=self_ps,
            ops=ops,
            devices=[Device(f"/device:{kind.upper()}:{row}", kind, ordinal=row) for row in range(count)],
            programs=[Program("7", "program")],
            lanes=["lane"],
        )
        runs = ProgramRuns(
            program=empty.astype(np.int32),
            device=empty.astype(np.int32),
            run_id=empty.astype(np.uint64),
            start_ps=empty,
            duration_ps=empty,
            launch_ps=empty,
        )
        return Profile(
            path=Path("profile"),
            executions=executions,
            runs=runs,
            modules=modules,
            duration_ps=int(self_ps.sum()),
            capture=capture,
        )

    return make


@pytest.fixture(scope="session")
def ops_of():
    """An op for every instruction of a module's entry that would run."""

    def make(module):
        rows = module.computations[module.entry].instructions
        skipped = ("parameter", "constant", "tuple", "get-tuple-element", "bitcast")
        return [
            Op(each.name, "", 0, module=module, instruction=each)
            for each in map(module.instructions.__getitem__, rows)
            if each.opcode not in skipped
        ]

    return make


@pytest.fixture(scope="session")
def product(compiled_module):
    """The op of a matrix product of side 64 in f32."""
    module = compiled_module(lambda x, y: x @ y, jnp.ones((64, 64)), jnp.ones((64, 64)))
    instruction = next(
        module.instructions[row]
        for row in module.computations[module.entry].instructions
        if module.instructions[row].opcode not in ("parameter", "constant")
    )
    return Op(instruction.name, "", 0, module, instruction, instruction.op_name)
