"""Records as JSON on standard output, as every view prints them."""

import json
import sys

import attrs

from scopelight.analysis.records import to_json


def print_json(record: attrs.AttrsInstance) -> None:
    """Print a record as the panels receive it, indented for people."""
    json.dump(to_json(record), sys.stdout, indent=1)
    sys.stdout.write("\n")
