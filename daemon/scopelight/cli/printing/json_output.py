"""Records as JSON on standard output, as every view prints them."""

import sys

import attrs

from scopelight.report.json_text import json_text


def print_json(record: attrs.AttrsInstance) -> None:
    """Print a record as the panels receive it, indented for people."""
    sys.stdout.write(json_text(record) + "\n")
