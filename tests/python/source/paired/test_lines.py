"""Which file and which line became which, between two runs' recorded sources."""

from scopelight.source.paired.files import paired_files
from scopelight.source.paired.lines import followed

MODEL = ["def model(x):", "    return x @ x", "", "def loss(x):", "    return model(x).sum()"]
TRAIN = ["import model", "", "for step in range(10):", "    print(model.loss(step))"]


def test_a_file_at_its_place_is_itself():
    files = {"/a/train.py": TRAIN, "/a/model.py": MODEL}
    assert paired_files(files, files) == {name: name for name in files}


def test_files_of_another_checkout_go_by_what_their_paths_share():
    before = {"/old/pkg/a/train.py": TRAIN, "/old/pkg/b/train.py": TRAIN}
    after = {"/new/pkg/b/train.py": TRAIN, "/new/pkg/a/train.py": TRAIN}
    assert paired_files(before, after) == {
        "/old/pkg/a/train.py": "/new/pkg/a/train.py",
        "/old/pkg/b/train.py": "/new/pkg/b/train.py",
    }


def test_a_renamed_file_goes_by_its_text_and_another_by_nothing():
    before = {"/a/model.py": MODEL, "/a/gone.py": ["x = 1", "y = 2"]}
    after = {"/a/network.py": [*MODEL, "# more"], "/a/new.py": TRAIN}
    assert paired_files(before, after) == {"/a/model.py": "/a/network.py"}


def test_a_line_is_followed_there_and_back():
    lines = followed({"a.py": MODEL}, {"a.py": ["# comment", *MODEL]})
    for number in range(1, 6):
        there = lines.follow(("a.py", number))
        assert there == ("a.py", number + 1, "text")
        assert lines.follow_back(there[:2]) == ("a.py", number, "text")
    assert lines.follow_back(("a.py", 1)) is None
    assert lines.follow(("b.py", 1)) is None
    assert lines.follow_back(("b.py", 1)) is None
