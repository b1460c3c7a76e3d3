"""Answers as the script of the compiler for TPUs, with programs that it once compiled (`made.predictions`).

    python recorded_compiler.py FOLDER

Each program that it is asked for is a line of ``asked`` in FOLDER: its name, and the flags of libtpu. As libtpu it ends
at a flag that there is not, such as any with ``nonsense`` in its name.

What programs have recorded as the folder of their script is where a script of that name lies now, where the variable
``SCOPELIGHT_TEST_SCRIPTS`` names that folder. ``orders.json`` in FOLDER says which programs it misbehaves for.
"""

import json
import lzma
import os
import signal
import sys
import time
from pathlib import Path

from scopelight.formats.hlo import hlo_pb2

RUNS = Path(__file__).parents[1] / "predicted_runs"
ANSWERED = ("scan", "kernels", "no_room")
"""Of several programs with one name the first is meant."""
RECORDED_FOLDER = "/home/user/project"


def recorded():
    """The file and what was said of it, by the names of programs."""
    found = {}
    for run in ANSWERED:
        for program in json.loads((RUNS / run / "prediction.json").read_text())["programs"]:
            if program["file"]:
                found.setdefault(program["name"], (RUNS / run / program["file"], program))
    return found


def misbehave(folder, name, orders):
    """Do what is ordered for a program; an answer, or None where there is nothing."""
    order = orders.get(name.removeprefix("jit(").removesuffix(")"))
    if order == "refuse":
        return {"outcome": "refused", "kind": "JaxRuntimeError", "message": "UNIMPLEMENTED: nothing of the kind"}
    done = folder / f"{order}-was-done"
    if order is None or done.exists():
        return None
    done.touch()
    if order == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if order == "hang":
        time.sleep(600)
    if order == "grow":
        taken = b"\1" * (400 << 20)
        time.sleep(600)
        del taken
    return {"outcome": ["no", "such"], "memory": 3}


def dump(file, name, folder):
    program = hlo_pb2.HloProto.FromString(lzma.decompress(file.read_bytes()))
    scripts = os.environ.get("SCOPELIGHT_TEST_SCRIPTS")
    if scripts:
        names = program.hlo_module.stack_frame_index.file_names
        for row, each in enumerate(names):
            names[row] = each.replace(RECORDED_FOLDER, scripts)
        for computation in program.hlo_module.computations:
            for instruction in computation.instructions:
                metadata = instruction.metadata
                metadata.source_file = metadata.source_file.replace(RECORDED_FOLDER, scripts)
    place = Path(folder) / f"module_0001.{name}.after_optimizations.hlo.pb"
    place.write_bytes(program.SerializeToString())


def load_libtpu():
    flags = os.environ.get("LIBTPU_INIT_ARGS", "")
    if "nonsense" in flags:
        name = flags.removeprefix("--").partition("=")[0]
        sys.exit(f"Logging before InitGoogle() is written to STDERR\nERROR: Unknown command line flag '{name}'")
    return flags


def main():
    folder = Path(sys.argv[1])
    orders = json.loads((folder / "orders.json").read_text())
    programs = recorded()
    print(json.dumps({"outcome": "ready"}), flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        flags = load_libtpu()
        with (folder / "asked").open("a") as asked:
            asked.write(f"{task['name']} {flags}\n")
        said = misbehave(folder, task["name"], orders)
        if said is None and task["name"] in programs:
            file, program = programs[task["name"]]
            dump(file, program["name"], task["dump"])
            said = {key: program[key] for key in ("outcome", "message", "seconds", "memory")}
            said |= {"stated_bytes": {"temp_size": 4096, "host_temp_size": 0}, "costs": {"flops": 12.0}}
        print(json.dumps({"task": task["task"], **(said or {"outcome": "compiled"})}), flush=True)


if __name__ == "__main__":
    main()
