"""Command lines that count what the hardware does, from outside of the script."""

from typing import Final

_SCRIPT: Final = "python SCRIPT"


def perf_command(command: str) -> str:
    """For the CPU of this machine."""
    return f"perf stat -d -- {command or _SCRIPT}"


def nvidia_command(command: str, kernel: str) -> str:
    """For a GPU of NVIDIA: of one kernel, where its name is one that can be asked for."""
    only = f" --kernel-name regex:{kernel}" if kernel.isidentifier() else ""
    return f"ncu{only} --set full --launch-count 5 {command or _SCRIPT}"


def amd_command(command: str) -> str:
    """For a GPU of AMD."""
    return f"rocprofv3 --pmc SQ_WAVES GRBM_GUI_ACTIVE -- {command or _SCRIPT}"
