"""What was downloaded of an address."""

from pathlib import Path

import attrs

from scopelight.findings import Finding


@attrs.frozen
class Fetched:
    """Where what an address stands for lies here, and what is to be said of what it stands for."""

    address: str
    path: Path
    findings: tuple[Finding, ...]
    downloaded_bytes: int
