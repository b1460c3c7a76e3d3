"""The server on bare pipes: what it says to each message, and that nothing ends it or gets between its messages."""

import json
import subprocess
import sys
import time

import pytest

from scopelight.model.run.capture_process import is_alive

COMMAND = [sys.executable, "-m", "scopelight.cli.main", "mcp"]
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Pipes:
    """A client that writes bytes and reads lines."""

    def __init__(self, *roots):
        named = [each for root in roots for each in ("--root", root)]
        self.process = subprocess.Popen([*COMMAND, *named], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def read(self):
        return json.loads(self.process.stdout.readline())

    def begin(self, method, params=None):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}})
        return self.number

    def ask(self, method, params=None):
        number = self.begin(method, params)
        answer = self.read()
        assert answer["id"] == number
        return answer

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def end(self):
        """Close the pipe; the exit code, and what was written after."""
        rest, _ = self.process.communicate(timeout=60)
        return self.process.returncode, rest


@pytest.fixture
def pipes(tmp_path):
    server = Pipes(tmp_path)
    yield server
    code, rest = server.end()
    assert code == 0
    assert rest == b""


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
def test_a_version_that_both_know_is_agreed_on(pipes, version):
    assert pipes.ask("initialize", HELLO | {"protocolVersion": version})["result"]["protocolVersion"] == version


@pytest.mark.parametrize("version", ["1999-01-01", None, 7, ["2025-11-25"]])
def test_a_client_of_another_version_is_offered_the_newest(pipes, version):
    assert pipes.ask("initialize", HELLO | {"protocolVersion": version})["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json\n", -32700),
        (b"\xff\xfe\x00\n", -32700),
        (b"[" * 100_000 + b"\n", -32700),
        (b"7\n", -32600),
        (b"[]\n", -32600),
        (b"null\n", -32600),
        (b'{"jsonrpc":"2.0","id":1}\n', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}\n', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}\n', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"tools/call"}\n', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"nothing/of/the/kind"}\n', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}\n', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}\n', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["x"]}}\n', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"summary","arguments":7}}\n', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}\n', -32002),
        (b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x"}}\n', -32602),
        (b'"' + b"x" * (5 << 20) + b'"\n', -32600),
    ],
)
def test_what_is_no_request_is_an_error_and_ends_nothing(pipes, line, code):
    pipes.write(line)
    assert pipes.read()["error"]["code"] == code
    assert pipes.ask("ping")["result"] == {}


def test_responses_and_notifications_that_no_one_waits_for_are_passed_over(pipes):
    pipes.write(b"\n\n")
    pipes.send({"jsonrpc": "2.0", "id": "scopelight-9", "result": {}})
    pipes.send({"jsonrpc": "2.0", "id": ["x"], "result": {}})
    pipes.notify("notifications/initialized")
    pipes.notify("notifications/cancelled", {"requestId": ["x"]})
    pipes.notify("notifications/nothing")
    assert pipes.ask("ping")["result"] == {}


def test_an_answer_is_one_line_of_ascii(pipes):
    pipes.begin("tools/call", {"name": "summary", "arguments": {"run": "\u2028\n\ud800"}})
    line = pipes.process.stdout.readline()
    assert line.isascii()
    assert json.loads(line)["result"]["isError"] is True


def test_several_messages_at_once_are_answered_at_once(pipes):
    pipes.send([{"jsonrpc": "2.0", "id": each, "method": "ping"} for each in (1, 2)] + [{"method": "x"}, 7])
    answers = pipes.read()
    assert [each.get("id") for each in answers] == [1, 2, None]
    assert answers[2]["error"]["code"] == -32600


def test_a_fault_of_the_arguments_is_told_to_the_model(pipes):
    result = pipes.ask("tools/call", {"name": "line_detail", "arguments": {}})["result"]
    assert result["isError"] is True
    assert "needs line" in result["content"][0]["text"]


def test_nothing_is_printed_before_the_client_speaks(tmp_path):
    assert Pipes(tmp_path).end() == (0, b"")


@pytest.fixture
def endless(tmp_path):
    """A script that tells its process and does not end."""
    (tmp_path / "endless.py").write_text(
        "import os, pathlib, time\npathlib.Path('pid').write_text(str(os.getpid()))\nwhile True: time.sleep(0.1)\n"
    )
    return tmp_path / "pid"


def began(pipes, endless):
    number = pipes.begin(
        "tools/call", {"name": "profile_script", "arguments": {"script": "endless.py", "confirmed": True}}
    )
    while not endless.is_file() or not endless.read_text():
        time.sleep(0.05)
    return number


def has_ended(endless):
    until = time.monotonic() + 60
    while is_alive(int(endless.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_alive(int(endless.read_text()))


def test_a_call_that_is_cancelled_is_not_answered_and_its_script_ends(pipes, endless):
    pipes.notify("notifications/cancelled", {"requestId": began(pipes, endless), "reason": "enough"})
    assert has_ended(endless)
    assert pipes.ask("ping")["result"] == {}


def test_scripts_end_with_the_client(tmp_path, endless):
    pipes = Pipes(tmp_path)
    began(pipes, endless)
    assert pipes.end()[0] == 0
    assert has_ended(endless)


def asked(*calls):
    """Lines that ask for tools."""
    messages = (
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls, 1)
    )
    return b"".join(json.dumps(each).encode() + b"\n" for each in messages)


def answered_at_the_end(folder, said):
    """What is answered to a client that has said all before anything is."""
    ended = subprocess.run([*COMMAND, "--root", folder], input=said, capture_output=True, check=True, timeout=100)
    return {each["id"]: each["result"]["content"][0]["text"] for each in map(json.loads, ended.stdout.splitlines())}


def test_all_that_was_asked_is_answered_before_the_end(captured):
    # More than are answered at once.
    calls = [("list_runs", {}), *[("summary", {}), ("hot_lines", {}), ("advice", {})] * 3]
    answers = answered_at_the_end(captured.folder, asked(*calls))
    assert sorted(answers) == list(range(1, 11))
    assert all("\nnext: " in each for each in answers.values())
    assert "network.py:5" in answers[9]


def test_a_script_that_no_one_could_end_is_not_begun(tmp_path, endless):
    answers = answered_at_the_end(
        tmp_path, asked(("profile_script", {"script": "endless.py", "confirmed": True}), ("list_runs", {}))
    )
    assert "was cancelled" in answers[1]
    assert "No run was captured" in answers[2]
    assert not endless.is_file() or has_ended(endless)


def test_scripts_end_with_the_server(tmp_path, endless):
    pipes = Pipes(tmp_path)
    began(pipes, endless)
    pipes.process.terminate()
    assert pipes.end()[0] == 0
    assert has_ended(endless)


def test_the_skill_is_printed(project):
    shown = subprocess.run([*COMMAND, "--skill"], capture_output=True, text=True, check=True, timeout=60).stdout
    assert shown == (project / "daemon" / "scopelight" / "agents" / "skill.md").read_text()
    assert 50 <= shown.count("\n") <= 70


def test_a_folder_that_is_none_is_refused(tmp_path):
    ended = subprocess.run([*COMMAND, "--root", tmp_path / "x"], capture_output=True, check=False, timeout=60)
    assert ended.returncode == 2
