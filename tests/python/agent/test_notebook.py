"""Cells that are profiled from inside their kernel, in kernels as editors start them."""

import json
import os
import signal
import threading

import pytest

from made.notebooks import DATA, HEADING, LOOP, MODEL, execute, kernel, write_notebook
from made.until import until
from scopelight import open as open_run

PROFILED = f"%%scopelight\n{LOOP}"
AWAITING = f"%%scopelight --seconds 60\nimport asyncio\nawait asyncio.sleep(0.01)\n{LOOP}"
FAILING = f"%%scopelight\n{LOOP}\nraise ValueError('on purpose')"
SLEEPING = f"%%scopelight\nimport time\n{LOOP}\nopen('asleep', 'w').close()\ntime.sleep(300)"
WRONG = "%%scopelight --epochs 3\nprint('ran')"
CELLS = (HEADING, MODEL, DATA, PROFILED, AWAITING, FAILING, SLEEPING, WRONG, LOOP)


def windows_of(run):
    return json.loads((run / "run.json").read_text())["windows"]


def lines_of(run, window):
    """The lines that a window has time for."""
    file, *_ = sorted((run / window["session"]).glob("*.xplane.pb"))
    return {(line.path, line.line) for line in open_run(file).lines().lines if line.self_ps}


@pytest.fixture(scope="module")
def notebook(tmp_path_factory, cpu_backend):
    folder = tmp_path_factory.mktemp("magic").resolve()
    return write_notebook(folder / "train.ipynb", CELLS)


@pytest.fixture(scope="module")
def client(notebook):
    """A kernel that has run the model and the data, and that knows its notebook as VS Code has it know."""
    with kernel(notebook.parent) as client:
        execute(client, f"__vsc_ipynb_file__ = {str(notebook)!r}")
        for cell in ("%load_ext scopelight", MODEL, DATA):
            assert execute(client, cell) == ("", None)
        yield client


@pytest.fixture(scope="module")
def run(client, notebook):
    """The run of the kernel, once a cell of it was profiled; what that cell printed is beside it."""
    printed, failed = execute(client, PROFILED)
    assert failed is None
    (run,) = (notebook.parent / ".scopelight").iterdir()
    (notebook.parent / "printed").write_text(printed)
    return run


def test_a_cell_is_profiled_in_place_and_names_its_hottest_lines(run, notebook):
    done, told = (notebook.parent / "printed").read_text().splitlines()
    assert done == "done"
    assert told.startswith(f"scopelight: .scopelight/{run.name}: train.ipynb, cell 2:7 ")
    assert len(told.split(" · ")) <= 5
    assert "train.ipynb, cell 2:6 " in told
    assert run.name.endswith("-train")
    assert len(windows_of(run)) == 1
    assert json.loads((run / "run.json").read_text())["script"] == str(notebook)
    cells = json.loads((run / "sources/cells.json").read_text()).values()
    assert {(cell["notebook"], cell["number"]) for cell in cells} >= {(str(notebook), 2)}


def test_each_profiled_cell_is_a_further_window_also_one_that_awaits(client, run):
    before = len(windows_of(run))
    printed, failed = execute(client, AWAITING)
    assert (failed, printed.splitlines()[0]) == (None, "done")
    assert "cell 2:7" in printed
    assert len(windows_of(run)) == before + 1


def test_an_error_passes_through_and_what_was_captured_is_kept(client, run):
    before = len(windows_of(run))
    printed, failed = execute(client, FAILING)
    assert failed == "ValueError: on purpose"
    assert "cell 2:7" in printed
    assert len(windows_of(run)) == before + 1


def test_an_interrupt_leaves_no_capture_open(client, run):
    before = len(windows_of(run))
    asleep = run.parent.parent / "asleep"
    pid = int(execute(client, "import os; print(os.getpid())")[0])

    def interrupt():
        until(asleep.exists)
        os.kill(pid, signal.SIGINT)

    threading.Thread(target=interrupt).start()
    printed, failed = execute(client, SLEEPING)
    assert failed is not None
    assert failed.startswith("KeyboardInterrupt")
    assert "cell 2:7" in printed
    assert len(windows_of(run)) == before + 1
    printed, failed = execute(client, "import scopelight; scopelight.stop()")
    assert failed is not None
    assert "No capture is open" in failed


def test_a_wrong_option_is_said_and_the_cell_runs(client, run):
    before = len(windows_of(run))
    printed, failed = execute(client, WRONG)
    assert failed is None
    assert "ran\n" in printed
    assert "unrecognized arguments: --epochs 3" in printed
    assert len(windows_of(run)) == before


def test_an_editor_has_the_next_cell_profiled_as_it_is(client, run):
    before = windows_of(run)
    agent = "import scopelight_agent.notebook as n; print(n.profile_next_cell(get_ipython(), out='elsewhere'))"
    assert execute(client, agent) == (f"{run}\n", None)
    assert execute(client, LOOP) == ("done\n", None)
    *earlier, window = windows_of(run)
    assert len(earlier) == len(before)
    assert {("train.ipynb, cell 2", 6), ("train.ipynb, cell 2", 7)} <= lines_of(run, window)
    assert execute(client, LOOP) == ("done\n", None)
    assert len(windows_of(run)) == len(before) + 1


def test_a_kernel_without_jax_or_with_captures_off_says_that_nothing_is_captured(tmp_path):
    with kernel(tmp_path) as client:
        execute(client, "%load_ext scopelight_agent.notebook")
        printed, failed = execute(client, "%%scopelight\nprint(3)")
        assert failed is None
        assert printed.startswith("3\n")
        assert "nothing was captured" in printed
    with kernel(tmp_path, SCOPELIGHT_OPTIONS="off") as client:
        execute(client, "%load_ext scopelight_agent.notebook")
        assert execute(client, "%%scopelight\nprint(3)") == ("3\n", None)
        _, failed = execute(
            client, "import scopelight_agent.notebook as n; n.profile_next_cell(get_ipython(), out='x')"
        )
        assert failed is not None
        assert "says off" in failed
