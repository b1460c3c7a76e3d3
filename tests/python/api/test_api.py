"""The Python interface: what it imports, what it answers, its documentation, and the types that users see."""

import doctest
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

import scopelight
from made.xspace import Line, plane, write
from scopelight.cli.main import main
from scopelight.views.table import VIEWS

DAEMON = Path(scopelight.__file__).parents[1]


@pytest.fixture
def file(tmp_path):
    return write(
        tmp_path / "a.xplane.pb",
        plane(
            "/device:TPU:0",
            Line("XLA Modules", (("jit_step(1)", 0, 100),)),
            Line("XLA Ops", (("%fusion.1 = f32[8] fusion()", 10, 30), ("%dot.2 = f32[8] dot()", 50, 50))),
        ),
    )


def test_importing_it_imports_nothing_from_outside_the_standard_library():
    question = (
        "import sys; before = set(sys.modules); import scopelight;"
        "print(sorted({name.partition('.')[0] for name in set(sys.modules) - before}"
        " - set(sys.stdlib_module_names)), [name for name in sys.modules if name.startswith('scopelight.')])"
    )
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "['scopelight'] []"


def test_pandas_waits_until_a_table_is_asked_for(file):
    question = (
        "import sys, scopelight; record = scopelight.open(sys.argv[1]).ops(); print('pandas' in sys.modules);"
        "record.to_pandas(); print('pandas' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", question, str(file)], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "True"]


def test_every_view_is_a_method_that_returns_what_the_command_line_prints(file):
    run = scopelight.open(file)
    for view in VIEWS.values():
        record = getattr(run, view.id.replace("-", "_"))()
        printed = CliRunner().invoke(main, ["show", view.id, str(file), "--json"]).stdout
        assert type(record) is view.record
        assert json.loads(printed).keys() == attrs.fields_dict(view.record).keys()
        table = record.to_pandas()
        rows = getattr(record, record.ROWS)
        assert len(table) == len(rows)
        if rows:
            assert [*table.columns] == [*attrs.fields_dict(type(rows[0]))]


def test_a_table_sums_to_the_same_picosecond(file):
    record = scopelight.open(file).ops()
    assert record.op_time_ps == 80
    assert record.to_pandas().self_ps.sum() == record.op_time_ps


def test_what_is_not_known_is_na_and_whole_numbers_stay_whole(file):
    table = scopelight.open(file).ops().to_pandas()
    assert table.per_step_ps.isna().all()
    assert str(table.self_ps.dtype) == str(table.per_step_ps.dtype) == "Int64"


def test_executions_are_columns(file):
    executions = scopelight.open(file).executions
    assert [*zip(executions.op, executions.start_ps, executions.self_ps, strict=True)] == [
        ("fusion.1", 10, 30),
        ("dot.2", 50, 50),
    ]
    assert executions.to_pandas().device.tolist() == ["/device:TPU:0"] * 2


def test_an_empty_path_is_not_the_current_folder(file, monkeypatch):
    monkeypatch.chdir(file.parent)
    with pytest.raises(scopelight.ProfileError) as empty:
        scopelight.open("")
    assert str(empty.value) in CliRunner().invoke(main, ["show", "ops", ""]).output
    assert len(scopelight.open(".").executions)


def test_errors_are_exceptions_with_the_sentences_of_the_command_line(file, tmp_path):
    gone = tmp_path / "gone"
    with pytest.raises(scopelight.ProfileError) as unreadable:
        scopelight.open(gone)
    assert str(unreadable.value) in CliRunner().invoke(main, ["show", "ops", str(gone)]).output
    run = scopelight.open(file)
    for method, options in (
        ("ops", {"device": "TPU:9"}),
        ("ops", {"target": "banana"}),
        ("memory_viewer", {"program": "x"}),
    ):
        with pytest.raises(scopelight.OptionError) as wrong:
            getattr(run, method)(**options)
        assert wrong.value.option == next(iter(options))
    with pytest.raises(scopelight.OptionError, match="'colour' is not one of category, program, scope, line"):
        run.op_profile(by="colour")
    with pytest.raises(TypeError, match=r"lines\(\) has no option 'device'; its options: scope"):
        run.lines(device="TPU:0")
    with pytest.raises(TypeError, match=r"has no option 'module'; its options: program, memory_space"):
        run.memory_viewer(module="x")


def test_the_documentation_s_examples_are_true(file):
    results = doctest.testfile(
        str(DAEMON / "python-interface.md"),
        module_relative=False,
        globs={"PATH": file},
        optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL,
    )
    assert results.attempted >= 10
    assert results.failed == 0


def test_type_checkers_know_what_views_return(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import scopelight\n"
        "run = scopelight.open('x')\n"
        "reveal_type(run.lines())\n"
        "reveal_type(run.op_profile(by='line'))\n"
        "run.op_profile(by='colour')\n"
    )
    answer = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), script.name],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"MYPYPATH": str(DAEMON), "PATH": ""},
        check=False,
    )
    lines = answer.stdout.splitlines()
    assert 'script.py:3: note: Revealed type is "scopelight.analysis.records.LinesRecord"' in lines
    assert 'script.py:4: note: Revealed type is "scopelight.analysis.ops.records.OpProfileRecord"' in lines
    (error,) = (line for line in lines if line.startswith("script.py") and "error" in line)
    assert error.startswith("script.py:5:")


def test_the_stub_is_that_of_the_table():
    specification = importlib.util.spec_from_file_location("stub", DAEMON / "scripts" / "generate_stub.py")
    stub = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(stub)
    assert stub.TARGET.read_text() == stub.generate()
