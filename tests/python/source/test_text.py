import json

from scopelight.source.recorded import SourceText


def test_text_of_a_line(tmp_path):
    file = tmp_path / "a.py"
    file.write_text("def f():\n    return 1\n")
    text = SourceText()
    assert text.line(str(file), 2) == "return 1"
    assert text.line(str(file), 0) is None
    assert text.line(str(file), 3) == ""
    assert text.line(str(file), 4) is None
    assert text.line(str(tmp_path), 1) is None
    assert text.line("bad\0name", 1) is None


def test_the_saved_copy_comes_before_the_file_of_today(tmp_path):
    sources = tmp_path / "sources"
    (sources / "w").mkdir(parents=True)
    (sources / "w" / "a.py").write_text("then\n")
    (tmp_path / "a.py").write_text("now\n")
    recorded = str(tmp_path / "a.py")
    (sources / "index.json").write_text(json.dumps({recorded: {"file": "w/a.py"}}))
    assert SourceText(sources).line(recorded, 1) == "then"
    assert SourceText().line(recorded, 1) == "now"


def test_an_index_cannot_name_files_outside_the_run(tmp_path):
    sources = tmp_path / "sources"
    sources.mkdir()
    (tmp_path / "secret").write_text("secret\n")
    (sources / "index.json").write_text(
        json.dumps({"/w/a.py": {"file": "../secret"}, "/w/b.py": {"file": str(tmp_path / "secret")}})
    )
    assert SourceText(sources).line("/w/a.py", 1) is None
    assert SourceText(sources).line("/w/b.py", 1) is None


def test_a_damaged_index_saves_nothing(tmp_path):
    (tmp_path / "a.py").write_text("now\n")
    for damage in ("", "[1]", '{"x": 3}', '{"x": {}}', "\x00"):
        (tmp_path / "index.json").write_text(damage)
        assert SourceText(tmp_path).line(str(tmp_path / "a.py"), 1) == "now"
