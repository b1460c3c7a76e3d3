"""Pods made by hand: hosts of one job whose devices meet in collectives, as the files that profilers of TPUs write."""

import itertools
from collections.abc import Mapping
from pathlib import Path

import attrs
import numpy as np

from made.xspace import Line, message, number, plane, text, varint, write
from scopelight.analysis.hosts.comparison import compare
from scopelight.analysis.hosts.summarising import summarise
from scopelight.analysis.hosts.summary import merge
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.model.opening.profile import open_files
from scopelight.model.opening.sessions import host_name

MS_PS = 10**9
WORK_PS, MORE_WORK_PS, MOVE_PS, GAP_PS = 8 * MS_PS, 4 * MS_PS, MS_PS // 2, MS_PS // 5
STARTED_NS = 1_700_000_000 * 10**9
FIRST_RUN_ID = 1_234_567_890
_BEGINNING_PS = 10**12

_HLO = """HloModule jit_step, num_partitions={devices}

%sum (a: f32[], b: f32[]) -> f32[] {{
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum.1 = f32[] add(%a, %b)
}}

ENTRY %main (x: f32[65536]) -> f32[65536] {{
  %x = f32[65536]{{0}} parameter(0)
  %dot.1 = f32[65536]{{0}} multiply(%x, %x), metadata={{op_name="jit(step)/mul" source_file="/job/train.py" source_line=12}}
  %all-reduce.2 = f32[65536]{{0}} all-reduce(%dot.1), channel_id=1, replica_groups={groups}, use_global_device_ids=true, to_apply=%sum, metadata={{op_name="jit(step)/psum" source_file="/job/train.py" source_line=13}}
  %add.3 = f32[65536]{{0}} add(%all-reduce.2, %x), metadata={{op_name="jit(step)/add" source_file="/job/train.py" source_line=14}}
  ROOT %collective-permute.4 = f32[65536]{{0}} collective-permute(%add.3), channel_id=1, source_target_pairs={pairs}, metadata={{op_name="jit(step)/ppermute" source_file="/job/train.py" source_line=15}}
}}
"""  # noqa: E501
_NAMES = ("dot.1", "all-reduce.2", "add.3", "collective-permute.4")


def _none() -> Mapping:
    return {}


@attrs.frozen
class Pod:
    """A job of a step that works, reduces over all devices, works, and permutes along a ring of them.

    By host: ``slower_ps`` is how much longer its devices work in a step before they reduce, ``adds_slower_ps`` before
    they permute, ``later_ps`` how much later they launch, and ``clock_ps`` what is to be added to its clock.
    ``slow_edge_ps`` is by (sender, receiver) how much longer it takes; with ``senders_wait`` who sends stays until its
    receiver has come.
    """

    hosts: int = 4
    devices: int = 2
    steps: int = 8
    slower_ps: Mapping[int, int] = attrs.field(factory=_none)
    adds_slower_ps: Mapping[int, int] = attrs.field(factory=_none)
    later_ps: Mapping[int, int] = attrs.field(factory=_none)
    clock_ps: Mapping[int, int] = attrs.field(factory=_none)
    slow_edge_ps: Mapping[tuple[int, int], int] = attrs.field(factory=_none)
    first_run: Mapping[int, int] = attrs.field(factory=_none)
    """By host the number of the first run that it recorded."""
    seed: int = 1
    jitter_ps: int = MS_PS // 100
    senders_wait: bool = False
    passing_ps: int = MOVE_PS
    """How long it takes to permute."""

    @property
    def count(self) -> int:
        return self.hosts * self.devices

    def write(self, folder: Path) -> list[Path]:
        """The files of its hosts."""
        ran = self._ran()
        return [
            write(folder / f"host{host}.xplane.pb", *self._planes(host, ran), _environment(), _program(self.count))
            for host in range(self.hosts)
        ]

    def _ran(self):
        """By step: int64[devices, op, (start, end)], int64[devices, (start, end)] of the runs, by the true clock."""
        random = np.random.default_rng(self.seed)
        count, now_ps = self.count, np.full(self.count, _BEGINNING_PS)
        host = np.arange(count) // self.devices

        def of_hosts(by_host):
            return np.array([by_host.get(int(each), 0) for each in host])

        def varied(base_ps):
            return base_ps + random.integers(0, self.jitter_ps + 1, count)

        steps = []
        for _ in range(self.steps):
            start_ps = now_ps + varied(GAP_PS) + of_hosts(self.later_ps)
            worked_ps = start_ps + varied(WORK_PS) + of_hosts(self.slower_ps)
            reduced_ps = worked_ps.max() + varied(MOVE_PS)
            added_ps = reduced_ps + varied(MORE_WORK_PS) + of_hosts(self.adds_slower_ps)
            sender = (np.arange(count) - 1) % count
            slower_ps = np.array([self.slow_edge_ps.get((int(s), r), 0) for r, s in enumerate(sender)])
            both_ps = np.maximum(added_ps, added_ps[sender])
            if self.senders_wait:
                both_ps = np.maximum(both_ps, np.roll(added_ps, -1))
            sent_ps = both_ps + varied(self.passing_ps) + slower_ps
            now_ps = sent_ps + 1000
            edges = [start_ps, worked_ps, reduced_ps, added_ps, sent_ps]
            steps.append((np.stack([np.stack(pair, -1) for pair in itertools.pairwise(edges)], 1), start_ps, now_ps))
        return steps

    def _planes(self, host, ran):
        first, clock_ps = self.first_run.get(host, 0), self.clock_ps.get(host, 0)
        for local in range(self.devices):
            device, ops, modules = host * self.devices + local, [], []
            for step, (times_ps, start_ps, end_ps) in list(enumerate(ran))[first:]:
                for name, (begin_ps, until_ps) in zip(_NAMES, times_ps[device].tolist(), strict=True):
                    ops.append((name, begin_ps - clock_ps, until_ps - begin_ps, {"run_id": FIRST_RUN_ID + step}))
                span_ps = int(end_ps[device] - start_ps[device])
                modules.append(
                    ("jit_step(7)", int(start_ps[device]) - clock_ps, span_ps, {"run_id": FIRST_RUN_ID + step})
                )
            lines = Line("XLA Modules", tuple(modules), id=1), Line("XLA Ops", tuple(ops), id=2)
            yield _with_core(plane(f"/device:TPU:{local}", *lines), local, device)


def _environment() -> bytes:
    return plane("Task Environment", stats=(("profile_start_time", STARTED_NS),))


def _with_core(data: bytes, local: int, device: int) -> bytes:
    """A plane that says which core of which chip it is of."""
    core = number(4, local) + number(5, device) + number(6, device)
    stat = message(5, number(1, 99), message(2, number(1, 99), text(2, "core_details")))
    return message(1, _body(data), stat, message(6, number(1, 99), message(6, core)))


def _body(data: bytes) -> bytes:
    start = 1
    while data[start] & 0x80:
        start += 1
    assert data[0] == varint(1 << 3 | 2)[0]
    return data[start + 1 :]


def program_text(devices: int) -> str:
    """The program of a pod of so many devices."""
    groups = "{{" + ",".join(map(str, range(devices))) + "}}"
    pairs = "{" + ",".join(f"{{{each},{(each + 1) % devices}}}" for each in range(devices)) + "}"
    return _HLO.format(devices=devices, groups=groups, pairs=pairs)


def _program(devices: int) -> bytes:
    proto = parse_hlo_text(program_text(devices), where="made").SerializeToString()
    entry = message(2, number(1, 1), text(2, "jit_step(7)"), message(5, number(1, 1), message(6, proto)))
    names = message(5, number(1, 1), message(2, number(1, 1), text(2, "Hlo Proto")))
    return message(1, text(2, "/host:metadata"), message(4, number(1, 1), entry), names)


def summary_of(file: Path):
    """The summary of one host's file."""
    return summarise(open_files(file, [file]), host_name(file))


def compared(folder: Path, **pod):
    """The comparison of a pod's hosts."""
    return compare(merge(summary_of(file) for file in Pod(**pod).write(folder)))
