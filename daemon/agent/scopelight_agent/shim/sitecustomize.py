"""Entrance to the user's process: found by the interpreter's own ``site`` before the script starts.

The launcher puts this folder first on ``PYTHONPATH``. The entrance takes every trace of that back (so that the script
and its child processes see the user's environment), lets the user's own ``sitecustomize`` run as it would have, and
leaves a hook that acts when the script has imported jax. ``__main__``, ``sys.argv`` and ``sys.path`` stay the
interpreter's business.
"""

import os
import sys


def _enter() -> None:
    """Undo what brought us here, and wait for jax; whatever fails, the script runs as without us."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 (pathlib is slow to import here)
    descriptor = os.environ.pop("SCOPELIGHT_SHIM_CONTROL", "")
    preflight = os.environ.pop("SCOPELIGHT_SHIM_PREFLIGHT", None)
    own_path = os.environ.pop("SCOPELIGHT_SHIM_PYTHONPATH", None)
    if own_path is None:
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = own_path
    sys.path[:] = [each for each in sys.path if each != here]
    if not descriptor.isdecimal():
        return
    os.set_inheritable(int(descriptor), False)

    # The package gets a private name: a scopelight that is installed beside the script is another one.
    from importlib.util import module_from_spec, spec_from_file_location  # noqa: PLC0415

    name = "_scopelight_shim"
    spec = spec_from_file_location(
        name,
        os.path.join(here, "__init__.py"),  # noqa: PTH118
        submodule_search_locations=[here],
    )
    if spec is None or spec.loader is None:
        return
    package = module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    from importlib import import_module  # noqa: PLC0415

    begin_with_jax = import_module(name + ".after_import").begin_with_jax
    if preflight is None:
        begin_with_jax(int(descriptor))
    else:
        import json  # noqa: PLC0415 (most scripts are not started for this)

        begin_with_jax(int(descriptor), json.loads(preflight))
    sys.path_importer_cache.pop(here, None)


def _run_the_users() -> None:
    """Import the ``sitecustomize`` that ours stood in front of, if there is one."""
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401, PLC0415
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        # The import system expects an entry once a module has been executed.
        if ours is not None:
            sys.modules.setdefault("sitecustomize", ours)


try:
    _enter()
except Exception as _error:
    sys.stderr.write(f"scopelight: the capture could not be prepared and the script runs without it: {_error}\n")
_run_the_users()
