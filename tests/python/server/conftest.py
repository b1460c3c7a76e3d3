"""A captured workspace, and an editor that has it open."""

import asyncio
import json
import os
import shutil
import sys
import textwrap
from pathlib import Path

import attrs
import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSource, LaunchSpec
from scopelight.protocol import PROTOCOL_VERSION

SERVER = [sys.executable, "-m", "scopelight.cli.main", "server"]

TRAIN = """\
    import jax
    import jax.numpy as jnp

    from network import layer


    def loss(weights, x):
        with jax.named_scope("body"):
            x = layer(weights, x)
            x = layer(weights, x)
        return jnp.mean(x**2)


    @jax.jit
    def train_step(weights, x):
        return weights - 0.01 * jax.grad(loss)(weights, x)


    weights = jnp.eye(192)
    x = jnp.ones((192, 192))
    for _ in range(1200):
        weights = train_step(weights, x)
    weights.block_until_ready()
    """
NETWORK = """\
    import jax.numpy as jnp


    def layer(weights, x):
        return jnp.tanh(x @ weights)
    """
PRODUCT_LINE = 5
"""The line of the network that computes."""
PADDED = """\
    import jax
    import jax.numpy as jnp

    BATCH, FEATURES, HIDDEN = 64, 100, 520


    def loss(weights, x):
        hidden = jnp.tanh(x @ weights["in"])
        return jnp.mean((hidden @ weights["out"]) ** 2)


    @jax.jit
    def train_step(weights, x):
        return jax.tree.map(lambda w, g: w - 0.01 * g, weights, jax.grad(loss)(weights, x))


    weights = {"in": jnp.ones((FEATURES, HIDDEN)), "out": jnp.ones((HIDDEN, 256))}
    x = jnp.ones((BATCH, FEATURES))
    for _ in range(1200):
        weights = train_step(weights, x)
    jax.block_until_ready(weights)
    """


@attrs.frozen
class Workspace:
    """A folder with a script of two files and a run of it."""

    folder: Path
    run: Path

    @property
    def train(self):
        return self.folder / "train.py"

    @property
    def network(self):
        return self.folder / "network.py"

    def largest_profile(self, run):
        """The file with most of the profile in a copy of the run: a capture on a busy machine leaves several."""
        return max(run.rglob("*.xplane.pb"), key=lambda file: file.stat().st_size)

    def copy_of_one_profile(self, run):
        """A copy of the run with its largest profile alone, however many were captured."""
        shutil.copytree(self.run, run)
        largest = self.largest_profile(run)
        for each in run.rglob("*.xplane.pb"):
            if each != largest:
                each.unlink()
        return largest.rename(largest.with_name("host.xplane.pb"))


@pytest.fixture(scope="session")
def captured(tmp_path_factory, cpu_backend):
    """The workspace, captured once; tests change texts in the editor only."""
    folder = tmp_path_factory.mktemp("workspace").resolve()
    return capture(folder, {"train.py": TRAIN, "network.py": NETWORK})


@pytest.fixture(scope="session")
def padded(tmp_path_factory, cpu_backend):
    """A workspace whose sizes fit no tile of a TPU, captured once."""
    return capture(tmp_path_factory.mktemp("padded").resolve(), {"train.py": PADDED})


def capture(folder, texts):
    """A workspace of these files, with a run of its ``train.py``."""
    for name, text in texts.items():
        (folder / name).write_text(textwrap.dedent(text))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    source = LaunchSource(Script("train.py", (), False), sys.executable, folder, environment)
    result = source.capture(LaunchSpec(out=folder / ".scopelight" / "first"))
    assert result.failure is None
    return Workspace(folder, folder / ".scopelight" / "first")


class Editor:
    """The client's end of the connection: it sends what VS Code's extension sends, and keeps what arrives."""

    def __init__(self, process):
        self.process = process
        self.received = []
        self._number = 0
        self._answers = {}
        self._arrived = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())

    async def initialize(self, *folders, options=None, capabilities=None):
        answer = await self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": None,
                "capabilities": capabilities or {},
                "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name} for folder in folders],
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})
        return answer

    def send(self, message):
        self.send_bytes(json.dumps(message).encode())

    def send_bytes(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method, params):
        """Send a request: its id, and the answer to come."""
        self._number += 1
        self._answers[self._number] = asyncio.get_running_loop().create_future()
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number, self._answers[self._number]

    async def ask(self, method, params=None):
        """The whole answer to a request."""
        _, answer = self.begin(method, {} if params is None else params)
        return await asyncio.wait_for(answer, 60)

    async def result(self, method, params=None):
        """The result of a request that must succeed."""
        answer = await self.ask(method, params)
        assert "result" in answer, answer
        return answer["result"]

    async def error(self, method, params=None):
        """The code and sentence of a request that must fail."""
        answer = await self.ask(method, params)
        assert "error" in answer, answer
        return answer["error"]["code"], answer["error"]["message"]

    def open(self, file, text=None, version=1):
        item = {"uri": file.as_uri(), "languageId": "python", "version": version}
        self.notify("textDocument/didOpen", {"textDocument": {**item, "text": text or file.read_text()}})

    def change(self, file, text, version):
        identifier = {"uri": file.as_uri(), "version": version}
        self.notify(
            "textDocument/didChange",
            {"textDocument": identifier, "contentChanges": [{"text": text}]},
        )

    async def show(self, path):
        return await self.result("scopelight/openRun", {"path": str(path)})

    async def hover(self, file, line):
        """The text of the card on a 1-based line, if there is one."""
        position = {"line": line - 1, "character": 1}
        found = await self.result("textDocument/hover", {"textDocument": {"uri": file.as_uri()}, "position": position})
        return found and found["contents"]["value"]

    async def next(self, method, matches=lambda _: True):
        """The parameters of the first message of a method that arrived or will, and was not taken before."""
        async with self._arrived:
            while True:
                for message in self.received:
                    if message["method"] == method and matches(message.get("params")):
                        self.received.remove(message)
                        return message.get("params")
                await asyncio.wait_for(self._arrived.wait(), 60)

    async def annotations(self, file, version):
        """The annotations of one version of a file by line."""
        params = await self.next(
            "scopelight/annotations",
            lambda params: params["uri"] == file.as_uri() and params["version"] == version,
        )
        return {each["line"]: each for each in params["annotations"]}

    async def end(self):
        if self.process.returncode is None:
            self.process.stdin.close()
            await asyncio.wait_for(self.process.wait(), 60)
        await self._reading

    async def _read(self):
        stream = self.process.stdout
        while header := await stream.readline():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            if header.strip():
                continue
            message = json.loads(await stream.readexactly(length))
            if "method" not in message:
                self._answers.pop(message["id"]).set_result(message)
                continue
            if "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            async with self._arrived:
                self.received.append(message)
                self._arrived.notify_all()


OPTIONS = {"protocol_version": PROTOCOL_VERSION, "annotations": True, "command_links": True}


@pytest.fixture
def extension_options():
    """What the extension says of itself when it starts the server."""
    return OPTIONS


@pytest_asyncio.fixture
async def start_editor():
    """Start an editor with a server of its own; both end with the test."""
    editors = []

    async def start(**environment):
        process = await asyncio.create_subprocess_exec(
            *SERVER,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1 << 26,
            env={**os.environ, **environment},
        )
        editors.append(Editor(process))
        return editors[-1]

    yield start
    for editor in editors:
        await editor.end()


@pytest_asyncio.fixture
async def editor(start_editor, captured):
    """An editor with the extension that has the captured workspace open."""
    editor = await start_editor()
    await editor.initialize(captured.folder, options=OPTIONS)
    return editor


@pytest.fixture
def workspace(captured):
    """The workspace that Neovim opens: a module of tests with another has a fixture of this name."""
    return captured


@pytest_lsp.fixture(config=ClientServerConfig([sys.executable, "-m", "scopelight.cli.main", "server", "--stdio"]))
async def neovim(lsp_client: LanguageClient, workspace):
    """An editor that speaks the Language Server Protocol alone, as pytest-lsp knows it."""

    @lsp_client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
    @lsp_client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refresh(_):
        return None

    parameters = types.InitializeParams(
        capabilities=client_capabilities("neovim@v0.11.0"),
        workspace_folders=[types.WorkspaceFolder(workspace.folder.as_uri(), "workspace")],
    )
    await lsp_client.initialize_session(parameters)
    yield
    await lsp_client.shutdown_session()


NEVER_RAN = """HloModule step

ENTRY %main (x: f32[8,16], w: f32[16,4]) -> f32[8,4] {
  %x = f32[8,16]{1,0} parameter(0)
  %w = f32[16,4]{1,0} parameter(1)
  ROOT %dot.1 = f32[8,4]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
"""


@pytest.fixture
def never_ran(tmp_path):
    """The text of a program that did not run: a product of f32[8,16] and f32[16,4]."""
    file = tmp_path / "step.txt"
    file.write_text(NEVER_RAN)
    return file
