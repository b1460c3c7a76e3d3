import pytest

from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.program.hlo.frames import Frame


def frames(**options):
    cwd = options.pop("cwd", None)
    return UserFrames(LineOptions(**options), cwd)


@pytest.mark.parametrize(
    "path",
    [
        "/usr/lib/python3.11/json/decoder.py",
        "/usr/local/lib/python3.12/dist-packages/jax/api.py",
        "/usr/lib/python3/dist-packages/numpy/core.py",
        "/w/.venv/lib/python3.12/site-packages/flax/linen.py",
        "/w/venv/bin/tool.py",
        "/home/u/.pyenv/versions/3.13.1/lib/python3.13t/runpy.py",
        "C:\\Python312\\Lib\\json\\decoder.py",
        "C:\\w\\env\\Lib\\site-packages\\jax\\api.py",
        "/w/myenv/share/thing.py",
        "<frozen runpy>",
    ],
)
def test_libraries_are_known_by_their_folders(path):
    found = frames(roots=("/w", "C:\\w"), library_roots=("/w/myenv",))
    assert found.file(path).is_library
    assert found.of((Frame(path, 1), Frame("/w/train.py", 2))) == (Frame("/w/train.py", 2),)
    assert found.of((Frame(path, 1),)) == ()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/w/train.py", "train.py"),
        ("/w/pkg/model.py", "pkg/model.py"),
        ("/w/./pkg/../train.py", "train.py"),
        ("/w/library/python3.py", "library/python3.py"),
        ("/wide/train.py", "/wide/train.py"),
        ("C:\\w\\pkg\\a.py", "pkg/a.py"),
    ],
)
def test_user_files_are_named_from_their_root(path, shown):
    file = frames(roots=("/w/", "C:\\w")).file(path)
    assert not file.is_library
    assert file.path == shown
    assert file.file == path


def test_an_editable_install_in_another_root_is_user_code():
    root = "/env/lib/python3.12/site-packages/mine"
    file = frames(roots=("/w", root)).file(f"{root}/a.py")
    assert (file.path, file.in_root, file.is_library) == ("a.py", True, False)


def test_a_root_above_an_environment_does_not_make_it_user_code():
    file = frames(roots=("/w",), library_roots=("/w/envs/three",)).file("/w/envs/three/x.py")
    assert file.is_library


def test_renamed_files_and_relative_ones():
    found = frames(roots=("/w",), renamed={"/ml/train.py": "/w/src/train.py"}, cwd="/w/run")
    assert found.file("/ml/train.py").path == "src/train.py"
    assert found.file("/ml/train.py").file == "/w/src/train.py"
    assert found.file("a.py").path == "run/a.py"
    assert found.file("").path is None


def test_a_line_counts_once_in_a_recursive_stack():
    stack = tuple(Frame("/w/a.py", line % 2 + 1, "f") for line in range(8))
    assert [frame.line for frame in frames(roots=("/w",)).of(stack)] == [1, 2]
