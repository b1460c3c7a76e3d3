"""Makes the predicted runs that tests read anew: a compiler for TPUs, which is no part of the set-up, says them.

    python predict.py ENVIRONMENT [NAME ...]

ENVIRONMENT is the folder of a virtual environment with jax and libtpu. Paths of this machine are not kept.
"""

import contextlib
import json
import lzma
import os
import shutil
import sys
import tempfile
from pathlib import Path

from scopelight.capture.launching.launch import Script
from scopelight.capture.preflight.preflight_source import PreflightSource, PreflightSpec
from scopelight.capture.tpu_compiler.environment import CompilerEnvironment
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.topologies import topology_named
from scopelight.capture.tpu_compiler.verdicts import Verdicts
from scopelight.formats.hlo.reader import read_hlo_file

SCRIPTS = Path(__file__).with_name("predicted")
RUNS = Path(__file__).parents[1] / "predicted_runs"
FOLDER = "/home/user/project"
"""Where the scripts are said to have been."""
MADE = {
    "scan": ("v5e-8", "step.py", ()),
    "unrolled": ("v5e-8", "step.py", ("--unrolled",)),
    "mesh": ("v5e-8", "mesh_step.py", ()),
    "slices": ("2xv5e-16", "slices_step.py", ()),
    "kernels": ("v6e-8", "kernels.py", ()),
    "no_room": ("v5e-8", "without_room.py", ()),
    "parts": ("v5e-8", "parts.py", ()),
}


def make(name: str, environment: Path) -> None:
    target, script, arguments = MADE[name]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve() / "project"
        shutil.copytree(SCRIPTS, folder)
        compiler = CompilerProcess(CompilerEnvironment(environment), None)
        verdicts = Verdicts(folder.parent / "verdicts")
        source = PreflightSource(Script(script, arguments), sys.executable, folder, os.environ, compiler, verdicts)
        with contextlib.closing(compiler):
            captured = source.capture(PreflightSpec(topology_named(target), out=folder.parent / "run"))
        if captured.failure is not None:
            raise SystemExit(captured.failure)
        run = RUNS / name
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(captured.run.path, run, ignore=shutil.ignore_patterns(".*", "programs"))
        (run / "programs").mkdir()
        for program in (captured.run.path / "programs").iterdir():
            _keep_program(program, run / "programs" / f"{program.name}.xz", str(folder))
        prediction = json.loads((run / "prediction.json").read_text())
        for each in prediction["programs"]:
            each["file"] = each["file"] and f"{each['file']}.xz"
        (run / "prediction.json").write_text(json.dumps(prediction, indent=1) + "\n")
        information = json.loads((run / "run.json").read_text())
        information.update(platform="Linux", git=None, created="2026-01-02T03:04:05+00:00", directory="")
        information["python"] = information["command"][0] = "python"
        (run / "run.json").write_text(json.dumps(information, indent=1) + "\n")
        for file in run.rglob("*.json"):
            file.write_text(file.read_text().replace(str(folder).removeprefix("/"), FOLDER.removeprefix("/")))
        place = run / "sources" / folder.relative_to("/")
        moved = run / "sources" / FOLDER.removeprefix("/")
        moved.parent.mkdir(parents=True, exist_ok=True)
        place.rename(moved)
        shutil.rmtree(run / "sources" / folder.parts[1], ignore_errors=folder.parts[1] != "home")


def _keep_program(file: Path, place: Path, folder: str) -> None:
    """What libraries' files are called says where they are installed: the last of their path is enough."""
    program = read_hlo_file(file)
    module = program.hlo_module
    names = module.stack_frame_index.file_names
    for row, each in enumerate(names):
        names[row] = _neutral(each, folder)
    for computation in module.computations:
        for instruction in computation.instructions:
            metadata = instruction.metadata
            if metadata.source_file:
                metadata.source_file = _neutral(metadata.source_file, folder)
    place.write_bytes(lzma.compress(program.SerializeToString(), preset=9 | lzma.PRESET_EXTREME))


def _neutral(path: str, folder: str) -> str:
    if path.startswith(folder):
        return FOLDER + path.removeprefix(folder)
    _, found, library = path.rpartition("/site-packages/")
    return f"/usr/lib/python3/site-packages/{library}" if found else path


if __name__ == "__main__":
    for each in sys.argv[2:] or MADE:
        make(each, Path(sys.argv[1]).absolute())
