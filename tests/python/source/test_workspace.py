from pathlib import Path

import attrs
import numpy as np
import pytest

from made.findings import values
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.model.executions import Device, Executions, Op, ProgramRuns
from scopelight.model.profile import Profile, recorded_paths
from scopelight.model.run.information import RunInformation
from scopelight.program.hlo.frames import Frame
from scopelight.source.workspace import line_options


@pytest.fixture
def profile_of():
    """A profile in which one op of every given file ran for 10 ps."""

    def make(paths, capture=None):
        count = len(paths)
        ops = [Op(f"op{row}", "add", -1, stack=(Frame(path, 1, "f"),)) for row, path in enumerate(paths)]
        empty = np.zeros(0, dtype=np.int64)
        zeros = np.zeros(count, dtype=np.int32)
        executions = Executions(
            op=np.arange(count, dtype=np.int32),
            device=zeros,
            run=zeros - 1,
            lane=zeros,
            start_ps=np.arange(count, dtype=np.int64) * 10,
            duration_ps=np.full(count, 10, dtype=np.int64),
            self_ps=np.full(count, 10, dtype=np.int64),
            ops=ops,
            devices=[Device("/device:CPU:0", "cpu")],
        )
        runs = ProgramRuns(zeros[:0], zeros[:0], empty.astype(np.uint64), empty, duration_ps=empty, launch_ps=empty)
        return Profile(Path("profile"), executions, runs, (), 10 * count, capture=capture)

    return make


def test_roots_are_the_current_folder_and_the_scripts(profile_of, tmp_path):
    script = tmp_path / "elsewhere" / "train.py"
    script.parent.mkdir()
    script.write_text("")
    here = tmp_path / "here"
    here.mkdir()
    profile = profile_of([str(script), str(tmp_path / "other.py")])
    options = line_options(profile, here, script=script)
    assert options.roots[0] == str(here)
    assert str(script.parent) in options.roots
    record = hot_lines(profile, options)
    assert {line.path for line in record.lines} == {"train.py", str(tmp_path / "other.py")}


def test_the_captured_script_gives_a_root(profile_of, tmp_path):
    (tmp_path / "job").mkdir()
    capture = RunInformation(script="job/train.py", cwd=str(tmp_path))
    options = line_options(profile_of([], capture), Path("/"))
    assert str(tmp_path / "job") in options.roots


def test_a_symbolic_link_and_its_target_are_one_root(profile_of, tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    profile = profile_of([str(real / "a.py"), str(tmp_path / "link" / "b.py")])
    record = hot_lines(profile, line_options(profile, tmp_path / "link"))
    assert {line.path for line in record.lines} == {"a.py", "b.py"}


def test_an_environment_of_any_name_is_a_library(profile_of, tmp_path):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "pyvenv.cfg").write_text("")
    profile = profile_of([str(tmp_path / "odd" / "thing.py"), str(tmp_path / "a.py")])
    record = hot_lines(profile, line_options(profile, tmp_path))
    assert [line.path for line in record.lines] == ["a.py"]
    assert record.unattributed_ps == 10


def test_files_recorded_elsewhere_are_found_and_ambiguous_ones_warned_of(profile_of, tmp_path):
    for name in ("models/mlp.py", "a/loader.py", "b/loader.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def f(): pass\n")
    profile = profile_of(["/ml/models/mlp.py", "/ml/loader.py"])
    assert recorded_paths(profile)[-2:] == ["/ml/models/mlp.py", "/ml/loader.py"]
    record = hot_lines(profile, line_options(profile, tmp_path))
    assert {line.path for line in record.lines} == {"models/mlp.py", "/ml/loader.py"}
    assert values(record, "path-ambiguous")["recorded"] == "/ml/loader.py"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("def f(x):\n    return x\n", "train.py"),
        ("def g(x):\n    return x\n", "/job/train.py"),
        ("import jax\n\n\ndef f(x):\n    return x\n", "/job/train.py"),
        ("def f(x:\n", "/job/train.py"),
        ("", "/job/train.py"),
    ],
)
def test_of_a_name_alone_the_file_with_the_recorded_functions_is_found(profile_of, tmp_path, text, path):
    (tmp_path / "train.py").write_text(text)
    record = hot_lines(profile_of(["/job/train.py"]), line_options(profile_of(["/job/train.py"]), tmp_path))
    assert {line.path for line in record.lines} == {path}


def test_all_folders_of_an_editor_are_roots_and_the_first_names_a_file(profile_of, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.py").write_text("")
    profile = profile_of([str(tmp_path / name / "model.py") for name in ("two", "one")])
    options = line_options(profile, tmp_path / "one", tmp_path / "two")
    assert options.roots == (str(tmp_path / "one"), str(tmp_path / "two"))
    assert {line.file for line in hot_lines(profile, options).lines} == {
        str(tmp_path / "one/model.py"),
        str(tmp_path / "two/model.py"),
    }


def test_an_editor_without_folders_has_the_folder_of_the_script(profile_of, tmp_path):
    capture = RunInformation(script="train.py", cwd=str(tmp_path))
    assert line_options(profile_of([], capture)).roots == (str(tmp_path),)


def test_a_project_that_was_copied_with_its_runs_has_its_own_files(profile_of, tmp_path):
    original, copy = tmp_path / "original", tmp_path / "copy"
    for project in (original, copy):
        (project / "lib").mkdir(parents=True)
        (project / "lib" / "model.py").write_text("")
        (project / ".scopelight" / "first").mkdir(parents=True)
    (original / "gone.py").write_text("")
    model, gone = str(original / "lib" / "model.py"), str(original / "gone.py")
    relative, library = "lib/model.py", "/opt/lib/python3.11/site-packages/jax/a.py"
    capture = RunInformation(
        script="train.py",
        cwd=str(original),
        path=copy / ".scopelight" / "first",
        directory=str(original / ".scopelight" / "first"),
    )
    profile = profile_of([model, gone, relative, library], capture)
    here = str(copy / "lib" / "model.py")
    assert line_options(profile, copy).renamed == {model: here, relative: here}
    stayed = profile_of([model], attrs.evolve(capture, path=original / ".scopelight" / "first"))
    assert line_options(stayed, copy).renamed == {}
    elsewhere = profile_of([model], attrs.evolve(capture, path=tmp_path / "downloads" / "first"))
    assert line_options(elsewhere, copy).renamed == {}


def test_the_users_word_on_a_recorded_folder_comes_first(profile_of, tmp_path):
    for name in ("workspace/lib/model.py", "checkout/lib/model.py", "checkout/train.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    capture = RunInformation(cwd="/home/other/proj")
    profile = profile_of(["/home/other/proj/lib/model.py", "train.py", "/opt/flax/module.py"], capture)
    checkout = tmp_path / "checkout"
    options = line_options(
        profile, tmp_path / "workspace", source_folders={"/home/other/proj": str(checkout), "/unused": str(tmp_path)}
    )
    assert options.renamed == {
        "/home/other/proj/lib/model.py": str(checkout / "lib/model.py"),
        "train.py": str(checkout / "train.py"),
    }
    # What lies there is the user's, though it is not in the workspace.
    assert options.roots == (str(tmp_path / "workspace"), str(checkout))
    named = {line.path for line in hot_lines(profile, options).lines}
    assert named == {"lib/model.py", "train.py", "/opt/flax/module.py"}


def test_a_located_library_stays_one(profile_of, tmp_path):
    library = tmp_path / "env/lib/python3.12/site-packages"
    (library / "flax").mkdir(parents=True)
    (library / "flax/module.py").write_text("")
    recorded = "/opt/env/lib/python3.12/site-packages/flax/module.py"
    profile = profile_of([recorded, "/job/train.py"])
    options = line_options(
        profile, tmp_path / "none", source_folders={"/opt/env/lib/python3.12/site-packages": str(library)}
    )
    assert options.renamed == {recorded: str(library / "flax/module.py")}
    assert {line.path for line in hot_lines(profile, options).lines} == {"/job/train.py"}
