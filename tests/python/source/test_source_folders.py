import pytest

from scopelight.source.source_folders import FoundFolder, find_folder, located_file


@pytest.fixture
def project(tmp_path):
    for name in ("train.py", "models/mlp.py", "models/old/mlp.py", ".hidden/secret.py", "a/same.py", "b/same.py"):
        file = tmp_path / "proj" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("pass\n")
    return tmp_path / "proj"


@pytest.mark.parametrize(
    ("file", "recorded", "inner"),
    [
        ("/home/other/proj/models/mlp.py", "/home/other/proj", "."),
        # No more than the folder that was chosen, though its name is the recorded one's too.
        ("/home/other/proj/train.py", "/home/other/proj", "."),
        ("/job/mlp.py", "/job", "models"),
        ("C:\\job\\src\\models\\mlp.py", "C:\\job\\src", "."),
        ("train.py", ".", "."),
        ("experimental/users/me/train.py", "experimental/users/me", "."),
    ],
)
def test_the_longest_suffix_says_which_recorded_folder_it_is(project, file, recorded, inner):
    assert find_folder(file, project) == FoundFolder(recorded, str(project / inner))


@pytest.mark.parametrize("file", ["/job/absent.py", "/job/secret.py", "/job/same.py", "", "/", "bad\0name.py"])
def test_what_is_not_there_or_may_be_two_files_is_not_guessed(project, file):
    assert find_folder(file, project) is None
    assert find_folder(file, project / "absent") is None


def test_all_files_below_the_recorded_folder_are_in_the_one_here(project):
    folders = {"/home/other/proj": str(project)}
    assert located_file("/home/other/proj/models/mlp.py", folders) == str(project / "models/mlp.py")
    assert located_file("/home/other/proj/train.py", folders) == str(project / "train.py")
    assert located_file("/home/other/proj/absent.py", folders) is None
    assert located_file("/home/other/project/train.py", folders) is None
    assert located_file("/home/other/proj", folders) is None
    assert located_file("train.py", folders) is None
    assert located_file("train.py", {".": str(project)}) == str(project / "train.py")
    assert located_file("c:\\job\\models\\mlp.py", {"C:\\job": str(project)}) == str(project / "models/mlp.py")


def test_the_innermost_folder_in_which_the_file_is_counts(project):
    folders = {"/job": str(project), "/job/models": str(project / "models/old")}
    assert located_file("/job/models/mlp.py", folders) == str(project / "models/old/mlp.py")
    assert located_file("/job/train.py", folders) == str(project / "train.py")
    assert located_file("/job/models/train.py", {**folders, "/": str(project)}) is None


@pytest.mark.parametrize(
    "file", ["../outside.py", "/job/../../outside.py", "/job/bad\0.py", "/job/\udcff.py", "<stdin>", ""]
)
def test_a_recorded_path_leads_to_no_file_outside_of_the_folder(project, file):
    (project.parent / "outside.py").write_text("")
    assert located_file(file, {"/job": str(project), ".": str(project)}) is None
