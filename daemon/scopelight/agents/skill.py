"""The skill text: how an agent gets from "slow" to a line, a cause, an edit and a verified change."""

from pathlib import Path
from typing import Final

SKILL_DESCRIPTION: Final = 'How to get from "slow" to a line, a cause, an edit and a verified change.'
_FILE: Final = Path(__file__).with_name("skill.md")


def skill_text() -> str:
    """The text, in Markdown."""
    return _FILE.read_text(encoding="utf-8")
