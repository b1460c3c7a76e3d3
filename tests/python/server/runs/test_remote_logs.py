"""Log directories on a server in the editor: listed, opened by address, and said where they cannot be."""

import pytest

from made.servers import s3_server
from made.xspace import Line, plane, write

pytestmark = pytest.mark.asyncio


def session(root, name, *hosts):
    folder = root / "plugins" / "profile" / name
    folder.mkdir(parents=True)
    for host in hosts:
        write(folder / f"{host}.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", (("dot.0", 0, 100),))))
    return folder


async def test_a_log_directory_on_a_server_is_listed_and_opened(start_editor, extension_options, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    logs = tmp_path / "logs"
    session(logs, "2025_11_19_04_47_36", "one")
    session(logs, "2025_11_20_04_47_36", "one", "two")
    with s3_server(monkeypatch) as server:
        address = server.put(logs, "deep/exp1")
        editor = await start_editor()
        await editor.initialize(tmp_path, options=extension_options)
        (directory,) = (await editor.result("scopelight/logDirectories", {"address": "s3://logs"}))["log_directories"]
        assert directory["path"] == address
        assert [len(each["hosts"]) for each in directory["sessions"]] == [2, 1]
        opened = await editor.result("scopelight/openRun", {"path": address, "workDoneToken": "opening"})
        assert opened["address"] == address
        assert opened["path"].startswith(str(tmp_path / "cache"))
        assert [each["code"] for each in opened["findings"]][:1] == ["several-sessions"]
        values = [message["params"]["value"] for message in editor.received if message["method"] == "$/progress"]
        said = [value["message"] for value in values if value["kind"] == "report"]
        assert said[0] == "asking the server"
        assert any(each.startswith("downloading ") for each in said)
        # What was downloaded opens without the server.
        server.client.delete_objects(
            Bucket="logs",
            Delete={
                "Objects": [{"Key": each["Key"]} for each in server.client.list_objects_v2(Bucket="logs")["Contents"]]
            },
        )
        await editor.result("scopelight/closeRun")
        assert (await editor.result("scopelight/openRun", {"path": opened["path"]}))["lines"] == opened["lines"]
        _, error = await editor.error("scopelight/openRun", {"path": address})
        assert "the directory holds no profile" in error or "no such bucket, folder or file" in error


async def test_log_directories_of_the_workspace_are_listed_beside_its_runs(start_editor, extension_options, tmp_path):
    session(tmp_path / "logs" / "exp1", "2025_11_20_04_47_36", "one")
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    listed = await editor.result("scopelight/runs", {})
    assert [each["path"] for each in listed["log_directories"]] == [str(tmp_path / "logs" / "exp1")]
    assert listed["runs"] == []
