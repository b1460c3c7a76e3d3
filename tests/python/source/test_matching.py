import pytest

from made.findings import codes, values
from scopelight.source.matching import Matches
from scopelight.source.matching import match_paths as match_paths_that


def match_paths(recorded, roots, can_be=lambda *_: True) -> Matches:
    return match_paths_that(recorded, roots, can_be)


@pytest.fixture
def workspace(tmp_path):
    for name in (
        "train.py",
        "models/mlp.py",
        "models/layers/attention.py",
        "data/loader.py",
        "tools/loader.py",
        ".hidden/secret.py",
        "env/pyvenv.cfg",
        "env/deep/only_in_env.py",
        "node_modules/odd.py",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("pass\n")
    return tmp_path


def test_the_longest_suffix_wins(workspace):
    recorded = ["/ml/job/models/layers/attention.py", "/ml/job/data/loader.py", "/ml/job/train.py"]
    matches = match_paths(recorded, [workspace])
    assert matches.renamed == {
        "/ml/job/models/layers/attention.py": str(workspace / "models/layers/attention.py"),
        "/ml/job/data/loader.py": str(workspace / "data/loader.py"),
        "/ml/job/train.py": str(workspace / "train.py"),
    }
    assert codes(matches, "warning") == []


def test_what_could_be_two_files_is_listed_and_not_guessed(workspace):
    matches = match_paths(["/ml/job/input/loader.py"], [workspace])
    assert matches.renamed == {}
    assert set(matches.ambiguous["/ml/job/input/loader.py"]) == {
        str(workspace / "data/loader.py"),
        str(workspace / "tools/loader.py"),
    }
    assert values(matches, "path-ambiguous")["recorded"] == "/ml/job/input/loader.py"


def test_a_name_alone_is_no_match_unless_the_file_can_be_the_recorded_one(workspace):
    asked = []

    def is_loader(recorded, file):
        asked.append(recorded)
        return file == str(workspace / "tools/loader.py")

    recorded = ["/ml/job/train.py", "/ml/job/loader.py", "/ml/job/models/mlp.py", "C:\\job\\train.py", "train.py"]
    matches = match_paths(recorded, [workspace], is_loader)
    assert matches.renamed == {
        "/ml/job/loader.py": str(workspace / "tools/loader.py"),
        "/ml/job/models/mlp.py": str(workspace / "models/mlp.py"),
        # It was recorded without a folder: the name is the whole path.
        "train.py": str(workspace / "train.py"),
    }
    assert (dict(matches.ambiguous), set(asked)) == ({}, {*recorded[:2], recorded[3]})


def test_two_recorded_files_do_not_become_one(workspace):
    better = match_paths(["/ml/models/mlp.py", "/opt/flax/mlp.py"], [workspace])
    assert better.renamed == {"/ml/models/mlp.py": str(workspace / "models/mlp.py")}
    equal = match_paths(["/ml/mlp.py", "/opt/flax/mlp.py"], [workspace])
    assert equal.renamed == {}
    assert set(equal.ambiguous) == {"/ml/mlp.py", "/opt/flax/mlp.py"}


@pytest.mark.parametrize(
    "recorded",
    [
        "/x/.hidden/secret.py",
        "/x/env/deep/only_in_env.py",
        "/x/node_modules/odd.py",
        "/x/absent.py",
        "/x/lib/python3.12/site-packages/models/mlp.py",
        "<string>",
        "",
        "bad\0name/train.py",
    ],
)
def test_what_is_not_in_the_workspace_is_left_alone(workspace, recorded):
    matches = match_paths([recorded], [workspace])
    assert (dict(matches.renamed), dict(matches.ambiguous)) == ({}, {})


def test_windows_paths_match(workspace):
    recorded = "C:\\Users\\me\\job\\models\\mlp.py"
    assert match_paths([recorded], [workspace]).renamed == {recorded: str(workspace / "models/mlp.py")}


def test_files_that_exist_are_not_looked_for(workspace, monkeypatch):
    monkeypatch.setattr("os.walk", lambda _: pytest.fail("walked the workspace"))
    assert match_paths([str(workspace / "train.py")], [workspace]).renamed == {}
