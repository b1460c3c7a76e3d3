"""The compiler's environment is whole or not there, and what hinders it is one sentence."""

import os
import shutil
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from made.compilers import stand_in, stand_in_of_user
from scopelight.capture.tpu_compiler import environment as environments
from scopelight.capture.tpu_compiler.environment import CompilerEnvironment
from scopelight.capture.tpu_compiler.installing import InstallError
from scopelight.cli.main import main

PADDING = os.urandom(1 << 20)
"""So that a wheel does not come in one piece."""


def wheel(folder, name, version):
    """A wheel of a package that holds nothing to speak of."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    file = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{name}/__init__.py", "")
        archive.writestr(f"{name}/padding", PADDING)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return file


class CutOff(SimpleHTTPRequestHandler):
    """Sends half of each wheel while a file ``cut`` lies beside them."""

    def copyfile(self, source, outputfile):
        if self.path.endswith(".whl") and (Path(self.directory) / "cut").exists():
            outputfile.write(source.read(1 << 19))
            self.close_connection = True
        else:
            super().copyfile(source, outputfile)

    def log_message(self, *_):
        pass


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder of packages that pip downloads from a server."""
    folder = tmp_path / "packages"
    for name in ("jax", "jaxlib", "libtpu"):
        wheel(folder, name, "9.9")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(CutOff, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_FIND_LINKS", f"http://127.0.0.1:{server.server_address[1]}/")
    monkeypatch.setattr(environments, "PACKAGES", ("jax==9.9", "jaxlib==9.9", "libtpu==9.9"))
    yield folder
    server.shutdown()


@pytest.fixture
def environment(tmp_path):
    return CompilerEnvironment(tmp_path / "cache" / "tpu-compiler")


def left(environment):
    return sorted(each.name for each in environment.folder.parent.iterdir())


def test_it_is_downloaded_and_installed_telling_what_is_done(packages, environment):
    told = []
    environment.make(told.append)
    assert environment.is_there
    assert told[0] == "making an environment"
    assert "installing what was downloaded" in told
    assert left(environment) == ["tpu-compiler"]


def test_a_download_that_is_cut_off_is_one_sentence_and_the_second_try_works(packages, environment):
    (packages / "cut").touch()
    with pytest.raises(
        InstallError, match=r"^The compiler for TPUs could not be downloaded and installed \(.+\): .+\.$"
    ):
        environment.make(lambda _: None)
    assert not environment.is_there
    assert left(environment) == []
    (packages / "cut").unlink()
    environment.make(lambda _: None)
    assert environment.is_there


def test_a_package_that_is_not_to_be_had_is_named(packages, environment, monkeypatch):
    (packages / "libtpu-9.9-py3-none-any.whl").unlink()
    with pytest.raises(InstallError, match=r"libtpu==9\.9"):
        environment.make(lambda _: None)
    assert left(environment) == []


def test_it_ends_soon_after_it_is_cancelled_and_leaves_nothing(packages, environment):
    is_cancelled = threading.Event()
    with pytest.raises(InstallError, match="cancelled"):
        environment.make(lambda _: is_cancelled.set(), is_cancelled.is_set)
    assert left(environment) == []


def test_a_disk_without_room_is_said_before_anything_is_downloaded(environment, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**12, 10**12 - 10**8, 10**8))
    with pytest.raises(InstallError, match=r"takes 1\.2 GB in .+, and 0\.1 GB are free there"):
        environment.make(lambda _: None)
    assert left(environment) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(InstallError, match="could not be installed in"):
        CompilerEnvironment(tmp_path / "cache" / "tpu-compiler").make(lambda _: None)


def test_all_of_it_is_removed_and_what_was_compiled(tmp_path):
    environment = stand_in(tmp_path)
    environment.verdicts.mkdir()
    (environment.verdicts / "program").write_bytes(b"x" * 1000)
    partial_one = environment.folder.with_name(f"{environment.folder.name}.0.partial")
    partial_one.mkdir()
    assert environment.remove() > 1000
    assert not environment.is_there
    assert list(tmp_path.iterdir()) == []
    assert environment.remove() == 0


def test_a_command_that_finds_nothing_to_remove_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    stand_in_of_user(tmp_path)
    first, second = (CliRunner().invoke(main, ["preflight", "--remove-compiler"]) for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert "removed the compiler for TPUs and what it compiled: 0.00 GB" in first.output
    assert f"there is no compiler for TPUs in {tmp_path / 'scopelight'}: nothing was removed." in second.output


def test_other_machines_are_told_that_there_is_none(monkeypatch):
    monkeypatch.setattr(environments.platform, "machine", lambda: "arm64")
    assert "Linux on x86-64" in (environments.why_impossible() or "")
