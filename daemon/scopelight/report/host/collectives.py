"""What a line's collectives waited for other devices and moved, and how the line differs between hosts, in words."""

from scopelight.analysis.records import LineRecord
from scopelight.report.language import text
from scopelight.report.numbers import duration

_LEAST_RATIO = 0.5
"""Of the wall clock of a line's ops that its collectives have, where that is worth a word after the line."""
_ALIKE_RATIO = 1.1
"""Hosts that differ by less are alike."""


def collectives_text(line: LineRecord) -> str:
    """``waits 11.0 ms · moves 805 µs`` of a step; empty of a line without collectives in which devices met."""
    if line.collective_wait_ps is None or line.collective_move_ps is None:
        return ""
    wait_ps, move_ps = line.collective_wait_per_step_ps, line.collective_move_per_step_ps
    return text(
        "waits {wait} · moves {move}",
        wait=duration(line.collective_wait_ps if wait_ps is None else wait_ps),
        move=duration(line.collective_move_ps if move_ps is None else move_ps),
    )


def is_mostly_collective(line: LineRecord) -> bool:
    """Whether most of what a line's ops take is its collectives'."""
    together_ps = (line.collective_wait_ps or 0) + (line.collective_move_ps or 0)
    return together_ps > 0 and together_ps >= _LEAST_RATIO * line.wall_ps


def host_spread_text(line: LineRecord) -> str:
    """``9.12 ms on host1 to 25.9 ms on host2``; empty where there is one host, or all take as long."""
    spread = line.host_spread
    if spread is None or spread.greatest_per_step_ps < _ALIKE_RATIO * spread.least_per_step_ps:
        return ""
    return text(
        "{least} on {host} to {most} on {other}",
        least=duration(spread.least_per_step_ps),
        host=spread.least_host,
        most=duration(spread.greatest_per_step_ps),
        other=spread.greatest_host,
    )
