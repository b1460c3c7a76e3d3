"""Trace scripts in one process, each into a folder: python trace_scripts.py SCRIPT FOLDER [SCRIPT FOLDER ...].

A script has a function ``run``. Works with every jax that capture supports.
"""

import runpy
import sys

import jax

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_include_full_tracebacks_in_locations", True)

for script, folder in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    # Functions of jax that were compiled for another script name the lines of that.
    jax.clear_caches()
    run = runpy.run_path(script)["run"]
    run()
    jax.profiler.start_trace(folder)
    run()
    jax.profiler.stop_trace()
