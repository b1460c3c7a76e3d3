"""How quickly the daemon answers for the hover cards of a source file."""

import random
import re
from pathlib import Path

from daemon import Daemon

HOVERS = 200


def hover_seconds(path: Path, source: Path, python: Path) -> float:
    """The 99th percentile of seconds to a hover card at any name of ``source``, whose profile ``path`` is shown."""
    text = source.read_text()
    document = {"uri": source.as_uri(), "languageId": "python", "version": 1, "text": text}
    words = [
        {"line": row, "character": word.start()}
        for row, line in enumerate(text.splitlines())
        for word in re.finditer(r"\w+", line)
    ]
    chance = random.Random(7)
    seconds, cards = [], 0
    with Daemon(python) as daemon:
        daemon.notify("textDocument/didOpen", {"textDocument": document})
        daemon.answer("scopelight/openRun", {"path": str(path)})
        for _ in range(HOVERS):
            asked = {"textDocument": {"uri": document["uri"]}, "position": chance.choice(words)}
            took, card = daemon.seconds("textDocument/hover", asked)
            seconds.append(took)
            cards += card is not None
    if not cards:
        raise RuntimeError(f"{path} puts nothing on the lines of {source}.")
    return sorted(seconds)[int(HOVERS * 0.99)]
