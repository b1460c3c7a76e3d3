import subprocess
import textwrap

import attrs
import pytest


@attrs.frozen
class Project:
    """A git repository with a script."""

    top: object

    def git(self, *arguments):
        command = ["git", "-c", "user.name=me", "-c", "user.email=me@home", "-C", str(self.top), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def write(self, name, text):
        file = self.top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
        return file

    def commit(self, subject, **files):
        for name, text in files.items():
            self.write(name, text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def project(tmp_path):
    top = (tmp_path / "project").resolve()
    top.mkdir()
    made = Project(top)
    made.git("init", "--quiet", "--initial-branch", "main")
    return made
