"""Whether a file is HLO text: apart from its reader, which other files need not wait for."""

import re
from typing import Final

_HEAD: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*HloModule[ \t]+\S")


def is_hlo_text(head: bytes) -> bool:
    """Whether a file that begins with ``head`` is the text of a program."""
    return _HEAD.match(head) is not None
