"""The gist of what jax or the compiler said of an op: one sentence of its own words, without what it dumped."""

import re

LONGEST = 240
_STATUS = re.compile(r"^(?:[A-Z][A-Z_]+(?:: |$))+")
_DURING = re.compile(r"^during context \[[^\]]*\]: ")
_CODE = re.compile(r"^E\d{4}: ?")
_DUMPED = re.compile(
    r"(?::\s+%[\w.-]+ =|\s+::\s|\s*#loc\d*|\s+\[xla::|\s*Suspected Python Code Location|\n\s*\n).*", re.DOTALL
)
_SENTENCE = re.compile(r"(?<=[a-z0-9)\]'\"`]{2})\.(?=\s|$)")


def sentence(message: str) -> str:
    """The first sentence of a message; empty where there is none."""
    plain = _DUMPED.sub("", message.strip()).strip()
    line = next((each.strip() for each in plain.splitlines() if each.strip()), "")
    for prefix in (_STATUS, _DURING, _STATUS, _CODE):
        line = prefix.sub("", line)
    ended = _SENTENCE.search(line)
    if ended is not None:
        line = line[: ended.start()]
    line = line.rstrip(" .:;")
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"
