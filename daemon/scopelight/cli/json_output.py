"""Records as JSON on standard output, as every view prints them."""

import json
import sys

import attrs

from scopelight.report.as_json import as_json


def print_json(record: attrs.AttrsInstance) -> None:
    """Print a record as the panels receive it, indented for people."""
    json.dump(as_json(record, "terminal"), sys.stdout, indent=1)
    sys.stdout.write("\n")
