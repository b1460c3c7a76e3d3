"""What scripts are called that have one name."""

from pathlib import Path

from scopelight.report.run.script_name import script_name

W = Path("/w")


def test_a_script_is_called_by_its_file_with_the_folder_only_where_another_has_that_name():
    assert script_name(W / "a/train.py", [], [W]) == "train.py"
    assert script_name(W / "a/train.py", [W / "a/train.py", W / "b/other.py"], [W]) == "train.py"
    assert script_name(W / "a/train.py", [W / "b/train.py"], [W]) == "a/train.py"


def test_as_many_folders_are_named_as_tell_scripts_apart():
    others = [W / "one/jobs/train.py", W / "two/jobs/train.py"]
    assert [script_name(each, others, [W]) for each in others] == ["one/jobs/train.py", "two/jobs/train.py"]


def test_a_script_of_the_workspace_folder_itself_has_no_folder_to_name_unless_there_are_several():
    assert script_name(W / "train.py", [W / "a/train.py"], [W]) == "train.py"
    assert script_name(W / "a/train.py", [W / "train.py"], [W]) == "a/train.py"
    assert script_name(W / "train.py", [Path("/v/train.py")], [W, Path("/v")]) == "w/train.py"
