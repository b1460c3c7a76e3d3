"""The compiler for TPUs, as the editor asks for it: is it there, get it, remove it; and which TPUs there are."""

import asyncio
import threading
from functools import partial

from scopelight.capture.tpu_compiler.environment import DISK_BYTES, DOWNLOAD_BYTES, CompilerEnvironment, why_impossible
from scopelight.capture.tpu_compiler.installing import InstallError
from scopelight.capture.tpu_compiler.topologies import Topology, TopologyError, topology_named
from scopelight.model.devices.table import device_model
from scopelight.protocol import Nothing
from scopelight.protocol.preflight import (
    CompilerState,
    InstallCompiler,
    NamedTpu,
    NameTpu,
    OfferedTpu,
    RemovedCompiler,
)
from scopelight.report.language import text
from scopelight.report.numbers import byte_size
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress

OFFERED = (
    "v5e-1",
    "v5e-4",
    "v5e-8",
    "v5e-16",
    "v6e-1",
    "v6e-8",
    "v6e-16",
    "v5p-8",
    "v5p-16",
    "v4-8",
    "v3-8",
    "tpu7x-8",
)
"""Names that people choose from; any other can be written."""


async def compiler_state(session: Session, params: Nothing) -> CompilerState:  # noqa: ARG001 (every request has both)
    """Whether programs can be compiled for a TPU here."""
    environment = CompilerEnvironment.of_user()
    return CompilerState(
        is_there=environment.is_there,
        folder=str(environment.folder.parent),
        download_bytes=DOWNLOAD_BYTES,
        disk_bytes=DISK_BYTES,
        problem=why_impossible(),
        offered=tuple(OfferedTpu(name, _description(topology_named(name))) for name in OFFERED),
    )


async def install_compiler(session: Session, params: InstallCompiler) -> Nothing:
    """Download the compiler, with progress. Raises `RequestFailed` where that fails."""
    loop = asyncio.get_running_loop()
    is_cancelled = threading.Event()
    environment = CompilerEnvironment.of_user()
    async with progress(session, params.workDoneToken, text("Installing the compiler for TPUs")) as report:

        def tell(message: str) -> None:
            loop.call_soon_threadsafe(report, message)

        installing = loop.run_in_executor(None, partial(environment.make, tell, is_cancelled.is_set))
        try:
            await asyncio.shield(installing)
        except asyncio.CancelledError:
            is_cancelled.set()
            raise
        except InstallError as error:
            raise RequestFailed(error.sentence) from error
    return Nothing()


async def remove_compiler(session: Session, params: Nothing) -> RemovedCompiler:  # noqa: ARG001
    """Give the disk space of the compiler back."""
    return RemovedCompiler(await session.work.run("long", CompilerEnvironment.of_user().remove))


async def name_tpu(session: Session, params: NameTpu) -> NamedTpu:  # noqa: ARG001
    """Whether a name is that of a TPU."""
    try:
        topology_named(params.name)
    except TopologyError as error:
        return NamedTpu(str(error))
    return NamedTpu()


def _description(topology: Topology) -> str:
    """``8 devices of 16 GiB, chips 2×4``."""
    model = device_model(topology.device)
    memory = None if model is None or model.memory_bytes is None else byte_size(model.memory_bytes)
    grid = "×".join(map(str, topology.grid))
    if topology.devices == 1:
        return text("1 device") if memory is None else text("1 device of {memory}", memory=memory)
    if memory is None:
        return text("{devices} devices, chips {grid}", devices=topology.devices, grid=grid)
    return text("{devices} devices of {memory}, chips {grid}", devices=topology.devices, memory=memory, grid=grid)
