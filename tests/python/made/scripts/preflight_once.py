"""Makes one predicted run: preflight_once.py ENVIRONMENT OUT TARGET SCRIPT [ARGUMENT ...].

ENVIRONMENT is the folder of a virtual environment with jax and libtpu. Nothing is known of any program before.
"""

import contextlib
import os
import sys
import tempfile
from pathlib import Path

from scopelight.capture.launching.launch import Script
from scopelight.capture.preflight.preflight_source import PreflightSource, PreflightSpec
from scopelight.capture.tpu_compiler.environment import CompilerEnvironment
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.topologies import topology_named
from scopelight.capture.tpu_compiler.verdicts import Verdicts

environment, out, target, script, *arguments = sys.argv[1:]
with (
    tempfile.TemporaryDirectory() as known,
    contextlib.closing(CompilerProcess(CompilerEnvironment(Path(environment)), None)) as compiler,
):
    source = PreflightSource(
        Script(script, tuple(arguments)), sys.executable, Path.cwd(), os.environ, compiler, Verdicts(Path(known))
    )
    captured = source.capture(PreflightSpec(topology_named(target), out=Path(out)))
sys.exit(captured.failure)
