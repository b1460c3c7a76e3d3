"""The variables of a job that begins by itself: what they ask for, and what is said of mistakes in them."""

import dataclasses
import json

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.cli.run import run
from scopelight.model.run.information import WindowOptions
from scopelight_agent.off import is_off
from scopelight_agent.options import Options, OptionsError, read
from scopelight_agent.options.keys import KEYS, table


def ours(**keys):
    return {"SCOPELIGHT_OPTIONS": json.dumps(keys)}


def mindspore(**keys):
    return {"MS_PROFILER_OPTIONS": json.dumps(keys)}


def test_asks_for_nothing_where_no_variable_does():
    assert read({}) is None
    assert read({"SCOPELIGHT_OPTIONS": " "}) is None


@pytest.mark.parametrize("word", ["off", "OFF", "0", "false", "no"])
def test_is_off_where_the_variable_says_so_whatever_mindspores_says(word):
    environment = {"SCOPELIGHT_OPTIONS": word, **mindspore(start=True)}
    assert is_off(environment)
    assert read(environment) is None
    assert not is_off({})


@pytest.mark.parametrize("word", ["on", "1", "true", "{}"])
def test_captures_as_usual_where_the_variable_says_no_more(word):
    assert read({"SCOPELIGHT_OPTIONS": word}) == Options()


def test_reads_every_key_that_has_an_effect():
    given_values = {
        "start": False,
        "out": "runs/first",
        "output_path": "runs",
        "steps": 7,
        "skip": 0,
        "seconds": 2,
        "whole": False,
        "slow_by": "ring",
        "most_windows": 3,
        "most_bytes": 1000,
        "most_seconds": 1.5,
        "memory": False,
        "host": False,
        "resources": False,
        "resources_period": 100,
        "calibration": False,
        "conductor": "/usr/bin/python3",
    }
    usual = dataclasses.asdict(Options())
    assert dataclasses.asdict(read(ours(**given_values))) == {**usual, **given_values}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"from_step": 3}, Options(from_step=3)),
        ({"to_step": 12, "from_step": 3}, Options(from_step=3, steps=10)),
        ({"from_step": 3, "every": 100}, Options(from_step=3, every=100)),
        ({"epoch": 0, "whole": False}, Options(epoch=0)),
        ({"when": "slow"}, Options(slow_ratio=2.0)),
        ({"when": "slow:2.5", "most_cost": "0.5%"}, Options(slow_ratio=2.5, most_cost_ratio=0.005)),
        ({"most_cost": 0.02}, Options(most_cost_ratio=0.02)),
        ({"watch": "watched.json"}, Options(watch="watched.json")),
        ({"most_bytes": "1.5GB"}, Options(most_bytes=1_500_000_000)),
        ({"most_bytes": "200 kb"}, Options(most_bytes=200_000)),
        ({"most_bytes": "77"}, Options(most_bytes=77)),
    ],
)
def test_conditions_are_those_of_the_conductor(keys, expected):
    assert read(ours(**keys)) == expected


def test_the_conductor_has_a_field_for_each_of_a_window():
    names = [field.name for field in dataclasses.fields(Options)]
    windows = names[names.index("steps") : names.index("most_seconds") + 1]
    assert windows == [field.name for field in attrs.fields(WindowOptions)]
    usual = Options()
    assert [getattr(usual, name) for name in windows] == [getattr(WindowOptions(), name) for name in windows]


def test_every_option_of_the_command_is_a_key():
    # What starts several jobs to compare them is not a question to one of them.
    named = {parameter.name for parameter in run.params} - {"python", "against", "rounds", "detect_ratio"}
    renamed = {"calibrates": "calibration", "watches_memory": "memory", "records_host": "host"}
    renamed |= {"reads_resources": "resources", "resources_ms": "resources_period"}
    assert {renamed.get(name, name) for name in named} <= set(KEYS)


def test_every_field_has_a_key_and_every_key_a_field_or_a_reason():
    fields = {field.name for field in dataclasses.fields(Options)} - {"notes"}
    assert {key.field for key in KEYS.values()} - {None} == fields
    assert all(key.meaning for key in KEYS.values())


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ({"step": 3}, "Did you mean steps?"),
        ({"most-bytes": 3}, "most_bytes?"),
        ({"profil_memory": 1}, "profile_memory?"),
    ],
)
def test_names_the_nearest_key_of_an_unknown_one(keys, named):
    with pytest.raises(OptionsError, match="unknown key") as raised:
        read(ours(**keys))
    assert named in str(raised.value)


def test_lists_the_keys_where_none_is_near():
    with pytest.raises(OptionsError, match="Its keys are start, out,"):
        read(ours(zzzz=1))


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"steps": "5"}, 'steps must be a whole number from 1, not "5"'),
        ({"steps": True}, "steps must be a whole number from 1, not true"),
        ({"steps": 0}, "steps must be a whole number from 1, not 0"),
        ({"skip": -1}, "skip must be a whole number from 0, not -1"),
        ({"whole": 1}, "whole must be true or false, not 1"),
        ({"seconds": 0}, "seconds must be a number of seconds above 0, not 0"),
        ({"seconds": [1]}, "seconds must be a number of seconds above 0, not a list"),
        ({"out": ""}, 'out must be a path, not ""'),
        ({"out": "\ud800"}, "out must be a path"),
        ({"when": "fast"}, 'when must be "slow" or "slow:K"'),
        ({"when": "slow:1"}, 'when must be "slow" or "slow:K"'),
        ({"resources_period": 1}, "from 10 to 60000, not 1"),
        ({"op_time": "yes"}, 'op_time must be true or false, not "yes"'),
        ({"whole": True, "seconds": 1}, "whole and seconds exclude each other"),
        ({"to_step": 3}, "to_step needs a from_step that is not after it"),
        ({"from_step": 4, "to_step": 3}, "to_step needs a from_step that is not after it"),
        ({"epoch": 0, "seconds": 1}, "seconds and epoch exclude each other"),
        ({"every": 3, "epoch": 1, "steps": 2}, "epoch and every exclude each other"),
        ({"every": 3}, "every 3 leaves no room for windows of 5 steps"),
        ({"most_bytes": "many"}, 'or a size such as "200MB", not "many"'),
        ({"most_bytes": "-1GB"}, "or a size such as"),
        ({"most_cost": "200%"}, 'must be a share above 0, such as "1%" or 0.01'),
        ({"slow_by": "luck"}, 'must be "timer" or "ring", not "luck"'),
    ],
)
def test_says_what_a_value_may_be(keys, sentence):
    with pytest.raises(OptionsError) as raised:
        read(ours(**keys))
    assert str(raised.value).startswith("SCOPELIGHT_OPTIONS: ")
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{steps: 5}", "line 1, column 2, near '{steps: 5}'"),
        ('{"steps": 5', "no JSON"),
        ("[]", "must be a JSON object"),
        ("5", "must be a JSON object"),
        ('{"steps": 1, "steps": 2}', 'the key "steps" twice'),
        ("[" * 20_000, "nests too deeply"),
        ('{"seconds": ' + "9" * 6000 + "}", "cannot be read"),
        (" " * 5 + "x" * 200_000, "longer than"),
    ],
)
def test_says_where_the_json_is_wrong(text, sentence):
    with pytest.raises(OptionsError) as raised:
        read({"SCOPELIGHT_OPTIONS": text})
    assert sentence in str(raised.value)


def test_says_which_keys_change_nothing():
    options = read(ours(aicore_metrics=1, op_time=False, with_stack=True))
    assert [note.split(";")[0] for note in options.notes] == [
        "SCOPELIGHT_OPTIONS: aicore_metrics has no effect",
        "SCOPELIGHT_OPTIONS: op_time has no effect",
    ]


def test_reads_mindspores_keys_where_they_mean_the_same():
    options = read(mindspore(start=True, output_path="/logs", profile_memory=False, timeline_limit=500, steps=9))
    assert options.output_path == "/logs"
    assert not options.memory
    assert options.most_bytes == 500_000_000
    assert options.steps == Options().steps
    assert options.notes == ('MS_PROFILER_OPTIONS: "steps" means nothing here.',)


@pytest.mark.parametrize("start", [{}, {"start": False}])
def test_mindspores_variable_asks_for_nothing_unless_it_says_start(start):
    assert read(mindspore(profile_memory=True, **start)) is None


def test_ours_come_before_mindspores_and_our_names_before_theirs():
    options = read({**mindspore(start=True, profile_memory=True, output_path="/a"), **ours(profile_memory=False)})
    assert (options.memory, options.output_path) == (False, "/a")
    for keys in ({"memory": False, "profile_memory": True}, {"profile_memory": True, "memory": False}):
        assert not read(ours(**keys)).memory


@given(st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(json.dumps))
def test_hostile_variables_end_in_a_sentence(text):
    for name in ("SCOPELIGHT_OPTIONS", "MS_PROFILER_OPTIONS"):
        try:
            found = read({name: text})
        except OptionsError as error:
            assert str(error).endswith(".")
        else:
            assert found is None or isinstance(found, Options)


@given(st.dictionaries(st.sampled_from(sorted(KEYS)), st.booleans() | st.integers() | st.floats() | st.text()))
def test_hostile_values_end_in_options_or_a_sentence(keys):
    try:
        options = read(ours(**keys))
    except OptionsError as error:
        assert str(error).endswith(".")
    else:
        assert options is not None


def test_the_page_for_users_has_the_table(project):
    assert table() in (project / "daemon" / "capture-from-jobs.md").read_text(encoding="utf-8")
