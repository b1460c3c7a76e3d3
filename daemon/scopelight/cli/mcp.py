"""``scopelight mcp``: the server for agents."""

from pathlib import Path

import click

from scopelight.cli.parameters.arguments import PathArgument


@click.command()
@click.option(
    "--root",
    "roots",
    metavar="FOLDER",
    type=PathArgument(exists=True, file_okay=False),
    multiple=True,
    help="A folder of yours: nothing outside of these is read. Without it, the current one.",
)
@click.option("--skill", is_flag=True, help="Print how an agent gets from slow to a verified change, in Markdown.")
def mcp(roots: tuple[Path, ...], skill: bool) -> None:
    """Serve agents on standard input and output, by the Model Context Protocol.

    They list runs, read summaries, lines, ops, memory and advice, and, once you agreed, profile a script.
    """
    if skill:
        from scopelight.agents.skill import skill_text  # noqa: PLC0415 (it alone is printed)

        click.echo(skill_text(), nl=False)
        return
    from scopelight.server.mcp.main import serve  # noqa: PLC0415 (only a server needs it)

    serve(roots or (Path.cwd(),))
