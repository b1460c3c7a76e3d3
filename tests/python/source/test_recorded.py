"""The copies that a run keeps: a run may come from anywhere."""

import json

import pytest

from scopelight.source.reading import LARGEST_FILE_BYTES
from scopelight.source.recorded import RecordedSources


@pytest.fixture
def sources(tmp_path):
    folder = tmp_path / "run" / "sources"
    folder.mkdir(parents=True)
    (tmp_path / "secret.py").write_text("secret = 1\n")
    return folder


def write_index(folder, **files):
    index = {recorded: {"file": file, "sha256": ""} for recorded, file in files.items()}
    (folder / "index.json").write_text(json.dumps(index))


def index_of(folder, files):
    write_index(folder, **files)
    return RecordedSources(folder, "/home/other")


def test_a_copy_goes_by_the_whole_recorded_path(sources):
    (sources / "0.py").write_text("one = 1\n")
    recorded = index_of(sources, {"train.py": "0.py", "/lib/model.py": "0.py", "C:\\job\\data.py": "0.py"})
    assert sorted(recorded.files) == ["/home/other/train.py", "/lib/model.py", "C:\\job\\data.py"]
    for file in recorded.files:
        assert recorded.lines(file) == ["one = 1", ""]
    assert recorded.lines("train.py") is None
    assert RecordedSources(sources).lines("train.py") == ["one = 1", ""]


def test_nothing_outside_of_the_folder_of_copies_is_read(sources, tmp_path):
    (sources / "link.py").symlink_to(tmp_path / "secret.py")
    (sources / "folder").symlink_to(tmp_path)
    (sources / "loop.py").symlink_to(sources / "loop.py")
    inside = {"/a.py": "link.py", "/b.py": "folder/secret.py", "/c.py": "loop.py"}
    outside = {
        "/d.py": "../../secret.py",
        "/e.py": str(tmp_path / "secret.py"),
        "/f.py": "x\0.py",
        "/g.py": "absent.py",
    }
    recorded = index_of(sources, {**inside, **outside})
    assert [recorded.lines(file) for file in (*inside, *outside)] == [None] * 7


def test_what_is_larger_than_source_is_left_alone(sources):
    with (sources / "0.py").open("wb") as file:
        file.truncate(LARGEST_FILE_BYTES + 1)
    assert index_of(sources, {"/a.py": "0.py"}).lines("/a.py") is None
    with (sources / "index.json").open("ab") as file:
        file.write(b" " * LARGEST_FILE_BYTES)
    assert list(RecordedSources(sources).files) == []
