"""What a person types into the search, matched against many texts at once within a time limit that holds.

Regular expressions are RE2's: it never backtracks, so that no expression takes more than time in proportion to the
text times the expression. Between pieces of text the clock is looked at.
"""

import re
import time
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
import re2

from scopelight.formats.columns import Bool, Int64
from scopelight.phrase import Phrase

LONGEST_PATTERN: Final = 1_000
"""Characters; no person types more."""
LONGEST_TEXT: Final = 16_384
"""Bytes of one text that a regular expression sees: what it costs at most between two looks at the clock."""
MOST_SECONDS: Final = 2.0
"""What one regular expression may take in all; the names of the largest profiles take a tenth of it."""
_MOST_MEMORY: Final = 2 << 20
"""Bytes for what RE2 compiles. Larger expressions are refused."""
_PIECE: Final = 16_384

_ESCAPED: Final = re.compile(r"\\(?:[pP]\{\^?\w+\}|[pP]\w|.)", re.DOTALL)
_OWN_ANCHORS: Final = re.compile(r"\\[Az]|\(\?(?!:|P?<)")
"""What means the beginning or the end of all text, and flags, which can change what ``^`` means."""


class PatternError(Exception):
    """The text cannot be searched for: a sentence for the person who typed it."""

    def __init__(self, sentence: Phrase) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Texts:
    """Texts that are searched again and again."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def lowered(self) -> Sequence[str]:
        """The texts in small letters."""
        return tuple(map(str.lower, self.texts))

    @cached_property
    def lines(self) -> tuple[bytes, Int64]:
        """The texts as lines of UTF-8, and where each begins, with the end of the last."""
        encoded = [text.encode("utf-8", "replace")[:LONGEST_TEXT].replace(b"\n", b" ") for text in self.texts]
        starts = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(line) + 1 for line in encoded], out=starts[1:])
        return b"\n".join([*encoded, b""]), starts


class Pattern:
    """A substring or a regular expression. Letter case is ignored unless the text has a capital.

    In a regular expression a capital behind a backslash is none: ``\\S`` and ``\\pL`` are classes. Raises
    `PatternError` where the text is no regular expression, or far too long.
    """

    def __init__(self, text: str, *, is_regex: bool = False, most_seconds: float = MOST_SECONDS) -> None:
        if len(text) > LONGEST_PATTERN:
            raise PatternError(
                Phrase(
                    "A search text has at most {limit} characters; this one has {count}.",
                    limit=LONGEST_PATTERN,
                    count=len(text),
                )
            )
        letters = _ESCAPED.sub("", text) if is_regex else text
        self.text = text
        self.is_regex = is_regex
        self.ignores_case = letters == letters.lower()
        self._seconds_left = most_seconds
        # Texts are searched joined as lines where ^ and $ mean the same there.
        self._is_joined = _OWN_ANCHORS.search(text) is None
        self._compiled = _compiled(text, self.ignores_case, self._is_joined) if is_regex else None

    def matching(self, texts: Texts) -> Bool:
        """Which of the texts match. Raises `PatternError` where an expression takes too long for them."""
        if self._compiled is not None:
            began = time.monotonic()
            search = self._search_joined if self._is_joined else self._search_each
            found = search(texts, self._compiled, began + self._seconds_left)
            self._seconds_left -= time.monotonic() - began
            return found
        if self.ignores_case:
            needle = self.text.lower()
            return np.fromiter((needle in each for each in texts.lowered), np.bool_, len(texts))
        return np.fromiter((self.text in each for each in texts.texts), np.bool_, len(texts))

    def _search_joined(self, texts: Texts, compiled: "re2._Regexp", until: float) -> Bool:
        found: Bool = np.zeros(len(texts), np.bool_)
        joined, starts = texts.lines
        line = 0
        while line < len(found):
            _check(until)
            # As many whole lines as fit in a piece, but one at least.
            beyond = max(line + 1, int(np.searchsorted(starts, starts[line] + _PIECE, "right")) - 1)
            base, end = int(starts[line]), int(starts[beyond])
            at = np.array([match.start() for match in compiled.finditer(joined[base : end - 1])], np.int64)
            found[line + np.searchsorted(starts[line + 1 : beyond + 1] - base, at, "right")] = True
            line = beyond
        return found

    def _search_each(self, texts: Texts, compiled: "re2._Regexp", until: float) -> Bool:
        found: Bool = np.zeros(len(texts), np.bool_)
        joined, starts = texts.lines
        for row, (first, beyond) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            if row % 16 == 0:
                _check(until)
            found[row] = compiled.search(joined[first : beyond - 1]) is not None
        return found


def _check(until: float) -> None:
    if time.monotonic() > until:
        raise PatternError(
            Phrase(
                "The regular expression takes longer than {seconds} s: it has too many repetitions inside of each"
                " other. Make it simpler, or search for plain text.",
                seconds=f"{MOST_SECONDS:.0f}",
            )
        )


def _compiled(text: str, ignores_case: bool, is_joined: bool) -> "re2._Regexp":
    options = re2.Options()
    options.case_sensitive = not ignores_case
    options.never_nl = is_joined
    options.never_capture = True
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    try:
        expression = text.encode()
        if is_joined:
            # On its own first: what is added must not mend it. Each match takes the rest of its line, so that there is
            # one for each line.
            re2.compile(expression, options)
            expression = b"(?m)(?:" + expression + b")[^\n]*"
        return re2.compile(expression, options)
    except re2.error as error:
        cause = error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else error
        raise PatternError(Phrase("The regular expression is not understood: {cause}.", cause=cause)) from None
    except UnicodeEncodeError:
        raise PatternError(Phrase("The search text holds characters that no text can have.")) from None
