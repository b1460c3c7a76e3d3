"""``scopelight server``: the language server, for editors."""

import click


@click.command()
@click.option("--stdio", is_flag=True, help="Speak on standard input and output, which is what it always does.")
def server(stdio: bool) -> None:  # noqa: ARG001 (some editors name the transport)
    """Serve an editor on standard input and output, by the Language Server Protocol."""
    # Only a server needs it.
    from scopelight.server.main import serve  # noqa: PLC0415

    serve()
