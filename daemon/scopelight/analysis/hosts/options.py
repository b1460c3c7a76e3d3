"""Options of the views of hosts."""

from typing import Annotated

import attrs

from scopelight.analysis.options import Option
from scopelight.legible import Legible


@attrs.frozen(repr=False)
class HostsOptions(Legible):
    """Where the files of hosts are looked through that were not looked through before."""

    engine: Annotated[
        str | None,
        Option(
            "Where the files of hosts are looked through: threads, processes, or dask://HOST:PORT, a Dask cluster that"
            " runs. Without it threads for few files, processes for many."
        ),
    ] = None
