"""Warm processes of Scopelight and of xprof that read files, and copies that neither has seen."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVES_SCOPELIGHT = Path(__file__).with_name("serve_scopelight.py")
SERVES_XPROF = Path(__file__).with_name("serve_xprof.py")


class Server:
    """A warm process that answers a task and a path with seconds."""

    def __init__(self, *command: str | Path, stderr: int | None = None) -> None:
        self.process = subprocess.Popen(
            [str(each) for each in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )

    def seconds(self, task: str, path: Path) -> float:
        """How long one task took, by the server's own clock."""
        self.process.stdin.write(f"{task} {path}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.process.args} ended while it worked on {task} {path}")
        return float(answer)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def scopelight_server(python: Path) -> Server:
    """A warm Scopelight, of the interpreter that has it."""
    return Server(python, SERVES_SCOPELIGHT)


def xprof_server(python: Path) -> Server:
    """A warm xprof, whose log is dropped."""
    return Server(python, SERVES_XPROF, stderr=subprocess.DEVNULL)


@contextmanager
def fresh(path: Path) -> Iterator[Path]:
    """A copy of the file in a folder of its own, so that no cache beside it is found."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.copy(path, folder))
