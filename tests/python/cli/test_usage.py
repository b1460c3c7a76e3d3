"""Options that would say nothing where they stand, and numbers that are none, are refused before anything begins."""

import pytest
from click.testing import CliRunner

from scopelight.cli.main import main

OF_SERVERS = [
    ("--delay", "1"),
    ("--attempts", "2"),
    ("--host-level", "1"),
    ("--python-level", "1"),
    ("--device-level", "0"),
    ("--dataset-ops",),
    ("--trust-server",),
]


def refused(*arguments):
    """The sentence that a command line is refused with."""
    ended = CliRunner().invoke(main, arguments)
    assert ended.exit_code == 2, ended.output
    sentence = " ".join(ended.output.partition("Error: ")[2].split())
    assert sentence, ended.output
    return sentence


@pytest.mark.parametrize("option", [*OF_SERVERS, ("--seconds", "2")], ids=lambda option: option[0])
@pytest.mark.parametrize(
    ("way", "why"),
    [
        (("--run", "absent"), "with --run the window is that of the run's own options."),
        (("--file", "absent"), "with --file nothing is traced."),
    ],
)
def test_options_of_servers_are_refused_where_no_server_is_asked(way, why, option):
    sentence = refused("capture", *way, *option)
    assert sentence.startswith(f"{option[0]} is for profiler servers")
    assert sentence.endswith(why)


@pytest.mark.parametrize("option", OF_SERVERS, ids=lambda option: option[0])
def test_options_of_servers_are_refused_where_the_agent_is_put_into_a_process(option):
    sentence = refused("capture", "--pid", "999999999", *option)
    assert sentence == f"{option[0]} is for profiler servers: with --pid alone the window is one of --seconds."


def test_of_a_process_seconds_can_be_asked_for(tmp_path):
    ended = CliRunner().invoke(
        main, ["capture", "--pid", "999999999", "--seconds", "1", "--out", str(tmp_path / "run"), "--json"]
    )
    assert ended.exit_code not in (0, 2)


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "NaN"])
@pytest.mark.parametrize(
    "command",
    [
        ("capture", "--seconds"),
        ("capture", "--delay"),
        ("monitor", "absent/run", "--seconds"),
        ("run", "--seconds"),
        ("run", "--most-seconds"),
    ],
    ids=" ".join,
)
def test_what_is_no_number_of_seconds_is_refused(command, number):
    sentence = refused(*command, number)
    assert sentence.startswith(f"Invalid value for '{command[-1]}': ")


@pytest.mark.parametrize("share", ["nan", "inf", "nan%", "-1%"])
def test_what_is_no_share_is_refused(share):
    assert "is no share of the time" in refused("run", "--when", "slow", "--most-cost", share, "absent.py")


def test_a_size_beyond_all_numbers_is_refused():
    assert "is no size" in refused("run", "--most-bytes", "9" * 400, "absent.py")


@pytest.mark.parametrize("option", [("--slow-by", "ring"), ("--most-cost", "5%"), ("--slow-by", "timer")])
def test_how_slow_steps_are_looked_for_needs_that_they_are(option):
    sentence = refused("run", *option, "absent.py")
    assert sentence == f"{option[0]} is about looking for slow steps: give --when slow too."


@pytest.mark.parametrize("option", [("--steps", "5"), ("--skip", "2"), ("--seconds", "1")])
def test_of_the_whole_script_no_part_can_be_asked_for(option):
    sentence = refused("run", "--whole", *option, "absent.py")
    assert sentence == f"--whole and {option[0]} exclude each other: give one of them."


def test_what_the_script_is_given_is_not_ours(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(main, ["run", "--whole", "absent.py", "--steps", "5", "--most-cost", "x"])
    assert ended.exit_code not in (0, 2)
    assert "absent.py" in ended.output


def test_the_help_says_how_another_window_of_a_run_is_shown():
    said = " ".join(CliRunner().invoke(main, ["show", "--help"]).output.split())
    assert "name the folder of another, which `scopelight runs PATH` lists" in said


def test_the_help_says_what_steps_are_without_annotations():
    said = " ".join(CliRunner().invoke(main, ["run", "--help"]).output.split())
    assert "Without annotations they are the calls of the compiled function" in said
