"""Broken budgets are problems on the line of today; what is wrong with one is a problem where it stands; and a run's
own figures are proposed and written."""

import shutil

import pytest

pytestmark = pytest.mark.asyncio

BUDGETS = """[tool.scopelight.budgets]
step_ms = 100000
compilations = 0
"train.py:train_step".step_ms = 0.000001
"network.py:layer".share = "0 %"
"train.py:train_stp".share = 1
"""


@pytest.fixture
def project(captured, tmp_path):
    """A copy of the captured workspace, whose files may be changed."""
    folder = tmp_path / "project"
    shutil.copytree(captured.folder, folder)
    return folder


def run_of(folder):
    return next((folder / ".scopelight").iterdir())


async def opened(start_editor, folder, extension_options, **settings):
    editor = await start_editor()
    options = {**extension_options, "settings": {"advice": False, **settings}}
    await editor.initialize(folder, options=options)
    editor.open(folder / "train.py")
    await editor.show(run_of(folder))
    return editor


async def problems(editor, file):
    """The next problems of a file: lines from 1, with their codes."""
    return listed(await editor.next("textDocument/publishDiagnostics", lambda params: params["uri"] == file.as_uri()))


def listed(params):
    return sorted((each["range"]["start"]["line"] + 1, each["code"]) for each in params["diagnostics"])


def line_of(text, start):
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith(start))


async def test_a_broken_budget_follows_its_function(start_editor, project, extension_options):
    (project / "pyproject.toml").write_text(BUDGETS)
    editor = await opened(start_editor, project, extension_options)
    train = project / "train.py"
    text = train.read_text()
    line = line_of(text, "def train_step")
    assert await problems(editor, train) == [(line, "budget-broken")]
    editor.change(train, "# one\n# two\n" + text, version=2)
    assert await problems(editor, train) == [(line + 2, "budget-broken")]
    # In the middle of an edit, which cannot be parsed.
    editor.change(train, "x = (\n" + text, version=3)
    assert await problems(editor, train) == [(line + 1, "budget-broken")]


async def test_problems_of_the_file_of_budgets_stand_in_it_and_end_with_them(start_editor, project, extension_options):
    config = project / "pyproject.toml"
    config.write_text(BUDGETS)
    editor = await opened(start_editor, project, extension_options)
    assert await problems(editor, config) == [(3, "budget-broken"), (6, "budget-function-unknown")]
    editor.open(config)
    editor.change(config, BUDGETS.replace("train_stp", "train_step"), version=2)
    assert await problems(editor, config) == [(3, "budget-broken")]
    editor.change(config, "# nothing\n", version=3)
    assert await problems(editor, config) == []


async def test_a_renamed_function_is_said_where_its_budget_stands(start_editor, project, extension_options):
    config = project / "pyproject.toml"
    config.write_text('[tool.scopelight.budgets]\n"train.py:train_step".step_ms = 0.000001\n')
    editor = await opened(start_editor, project, extension_options)
    train = project / "train.py"
    await problems(editor, train)
    editor.change(train, train.read_text().replace("train_step", "step"), version=2)
    assert await problems(editor, train) == []
    assert await problems(editor, config) == [(2, "budget-function-unknown")]


async def test_nobody_is_told_who_does_not_want_it(start_editor, project, extension_options):
    (project / "pyproject.toml").write_text(BUDGETS)
    editor = await opened(start_editor, project, extension_options, budgets=False)
    found = await editor.result("scopelight/proposeBudgets", {})
    assert found["is_new"] is False
    # Else it would have come before.
    await editor.result("scopelight/runs", {})
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"budgets": True}}})
    assert await problems(editor, project / "train.py")


async def test_what_a_run_took_is_proposed_and_written(start_editor, project, extension_options):
    config = project / "pyproject.toml"
    config.write_text('[project]\nname = "x"  # mine\n')
    editor = await opened(start_editor, project, extension_options)
    train = project / "train.py"
    line = line_of(train.read_text(), "def train_step")
    proposed = await editor.result("scopelight/proposeBudgets", {"file": str(train), "line": line + 1})
    assert proposed["config"] == str(config)
    budgets = {(each["place"], each["name"]): each for each in proposed["budgets"]}
    of_step = budgets[("train.py:train_step", "step_ms")]
    assert of_step["is_first_choice"]
    assert of_step["title"] == "Median time per step of train.py:train_step"
    assert "more are allowed" in of_step["detail"]
    assert budgets[(None, "compilations")]["limit"] == "1"
    assert budgets[(None, "flops_change")]["limit"] == '"0 %"'
    assert budgets[(None, "flops_change")]["detail"] == "Against the run that is chosen with Compare with…"
    assert "--against" not in str(proposed)
    assert budgets[(None, "peak_memory_gib")]["title"] == "Peak memory of the compiler's plan"
    assert "It is what the compiler planned for" in budgets[(None, "peak_memory_gib")]["detail"]
    chosen = [{name: each[name] for name in ("name", "place", "limit")} for each in proposed["budgets"]]
    edits = await editor.result("scopelight/setBudgets", {"config": str(config), "budgets": chosen})
    assert (edits["is_new"], edits["line"]) == (False, 4)
    (edit,) = edits["edits"]
    assert (edit["start_line"], edit["start_character"]) == (2, 0)
    config.write_text(config.read_text() + edit["text"])
    # The run holds what it was asked.
    again = await editor.result("scopelight/proposeBudgets", {"file": str(train), "line": line})
    assert all("Allowed now" in each["detail"] for each in again["budgets"])


async def test_a_file_is_new_where_there_is_none(start_editor, project, extension_options):
    editor = await opened(start_editor, project, extension_options)
    proposed = await editor.result("scopelight/proposeBudgets", {"path": str(run_of(project))})
    if proposed["config"] == str(project / "pyproject.toml"):
        assert proposed["is_new"]
    edits = await editor.result(
        "scopelight/setBudgets",
        {
            "config": str(project / "pyproject.toml"),
            "budgets": [{"name": "step_ms", "place": None, "limit": "3"}],
        },
    )
    assert edits["is_new"]
    assert edits["edits"][0]["text"] == "[tool.scopelight.budgets]\nstep_ms = 3\n"


async def test_a_function_has_an_action_on_the_line_of_its_definition(start_editor, project, extension_options):
    editor = await opened(start_editor, project, extension_options)
    train = project / "train.py"
    text = train.read_text()

    async def actions(line):
        where = {"line": line - 1, "character": 0}
        params = {
            "textDocument": {"uri": train.as_uri()},
            "range": {"start": where, "end": where},
            "context": {"diagnostics": []},
        }
        return await editor.result("textDocument/codeAction", params)

    line = line_of(text, "def train_step")
    (action,) = await actions(line)
    assert action["kind"] == "refactor"
    assert action["command"]["command"] == "scopelight.setBudget"
    assert action["command"]["arguments"] == [{"file": str(train), "line": line}]
    assert await actions(line + 1) == []


async def test_what_has_changed_is_held_against_the_run_that_is_compared(start_editor, project, extension_options):
    config = project / "pyproject.toml"
    config.write_text('[tool.scopelight.budgets]\nflops_change = "-50 %"\n')
    run = run_of(project)
    before = project / ".scopelight" / "before"
    shutil.copytree(run, before)
    editor = await opened(start_editor, project, extension_options)
    await editor.result("scopelight/compareWith", {"run": str(run), "before": str(before)})
    # The same code has the same FLOPs, and not half of them.
    assert await problems(editor, config) == [(2, "budget-broken")]


async def test_what_cannot_be_told_is_not_as_silent_as_what_is_held(start_editor, project, extension_options):
    """A budget without a sign looks held."""
    config = project / "pyproject.toml"
    config.write_text('[tool.scopelight.budgets]\nstep_ms = 100000\npadding_ratio = 0.1\nflops_change = "0 %"\n')
    run = run_of(project)
    before = project / ".scopelight" / "before"
    shutil.copytree(run, before)
    editor = await opened(start_editor, project, extension_options)
    params = await editor.next("textDocument/publishDiagnostics", lambda params: params["uri"] == config.as_uri())
    assert listed(params) == [(3, "budget-not-measured"), (4, "budget-not-measured")]
    assert {each["severity"] for each in params["diagnostics"]} == {3}
    said = {each["range"]["start"]["line"] + 1: each["message"] for each in params["diagnostics"]}
    assert said[3].startswith("Padding of the FLOPs was not measured, for its budget of 10")
    assert said[4].endswith("There is no run to compare with. Choose one with the command Compare with….")
    await editor.result("scopelight/compareWith", {"run": str(run), "before": str(before)})
    assert await problems(editor, config) == [(3, "budget-not-measured")]
