"""``scopelight doctor``: what capturing needs, checked; each problem with its remedy."""

import json
import os
import sys
from pathlib import Path

import attrs
import click

from scopelight.capture.checks import check_all


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--python", "python", metavar="PATH", help="The interpreter to look at.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(python: str | None, as_json: bool) -> None:
    """Check what capturing needs, and say how to mend it. The exit code is 1 where something is a problem."""
    checks = check_all(python, Path.cwd(), os.environ)
    healthy = all(each.ok for each in checks)
    if as_json:
        click.echo(json.dumps({"ok": healthy, "checks": [attrs.asdict(each) for each in checks]}, indent=1))
    else:
        for each in checks:
            click.echo(f"{'ok     ' if each.ok else 'problem'}  {each.name}: {each.finding}")
            if each.remedy is not None:
                click.echo(f"         {' ' * len(each.name)}  {each.remedy}")
    sys.exit(0 if healthy else 1)
