"""Comparison: what the devices of all hosts did together, on one clock."""

from functools import cached_property

import attrs
import numpy as np

from scopelight.analysis.device_time.collective_waits import CollectiveWaits, collective_waits
from scopelight.analysis.hosts.breakdown import MOVE, WAIT
from scopelight.analysis.hosts.replay import DeviceRuns, Replay
from scopelight.analysis.hosts.summary import Summary
from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.model.rendezvous.clocks import Clocks, clocks_of
from scopelight.model.rendezvous.instances import ABSENT_PS, Instances, instances_of
from scopelight.model.rendezvous.runs import matched_runs

NO_STEP = -1
_MOST_APART_NS = 30 * 86_400 * 10**9
"""More would not fit the numbers that times are counted in, with what is added to them."""


@attrs.frozen(eq=False, repr=False)
class Comparison:
    """The summary of hosts, with what met and the clocks that it tells of.

    ``starts_ps`` is by host where its times count from, before the clocks are corrected; ``moment`` by run (a row of
    ``summary.runs``) the number of the runs that belong together.
    """

    summary: Summary
    starts_ps: Int64
    moment: Int64
    instances: Instances
    clocks: Clocks

    @property
    def host_of_device(self) -> Int32:
        """By device the row of its host."""
        return self.summary.host_of_device

    @property
    def shift_ps(self) -> Int64:
        """By host what is added to its times so that all count from one moment."""
        return self.starts_ps + self.clocks.applied_ps

    @cached_property
    def waits(self) -> CollectiveWaits:
        """How long each device waited and moved in each collective."""
        return collective_waits(self.instances)

    @cached_property
    def runs(self) -> DeviceRuns:
        """When each run of a program began and ended on each device."""
        runs = self.summary.runs
        shape = (int(self.moment.max(initial=-1)) + 1, len(self.summary.devices))
        start_ps, end_ps = np.full(shape, ABSENT_PS), np.full(shape, ABSENT_PS)
        shift_ps = self.shift_ps[self.host_of_device[runs.device]]
        start_ps[self.moment, runs.device] = runs.start_ps + shift_ps
        end_ps[self.moment, runs.device] = runs.end_ps + shift_ps
        return DeviceRuns(start_ps, end_ps)

    @cached_property
    def replay(self) -> Replay:
        """What met, ready to be replayed."""
        return Replay(self.instances, self.runs)

    @cached_property
    def parts_ps(self) -> Int64:
        """By row of ``summary.cores`` the parts of a core's step, with waiting told from moving."""
        cores = self.summary.cores
        parts_ps = cores.parts_ps.copy()
        place = self.instances.place[cores.exposed_collective]
        device = cores.device[cores.exposed_core]
        wait_ps, move_ps = self.waits.wait_ps[place, device], self.waits.move_ps(place, device)
        whole_ps = np.maximum(1, wait_ps + move_ps)
        # Where other work hides some of it, waiting is as much of what is left as of the whole.
        share = np.where(place >= 0, wait_ps / whole_ps, 0.0)
        waited_ps = np.minimum(cores.exposed_ps, np.rint(cores.exposed_ps * share).astype(np.int64))
        np.add.at(parts_ps[:, WAIT], cores.exposed_core, waited_ps)
        np.add.at(parts_ps[:, MOVE], cores.exposed_core, -waited_ps)
        return parts_ps

    @cached_property
    def step_of_row(self) -> Int64:
        """By row of ``summary.steps`` the number of the step, the same on all hosts; they count from 0.

        Only those are steps of all that every host with devices has; `NO_STEP` for others.
        """
        steps = self.summary.steps
        key = np.full(len(steps.run), -1, dtype=np.int64)
        stands = np.flatnonzero(steps.run >= 0)
        key[stands] = self.moment[steps.run[stands]]
        known = np.flatnonzero(key >= 0)
        keys, number = np.unique(key[known], return_inverse=True)
        hosts = len(set(self.host_of_device.tolist())) or 1
        found = np.full(len(key), NO_STEP, dtype=np.int64)
        present = np.zeros((len(keys), len(self.summary.hosts)), dtype=np.bool_)
        present[number, steps.host[known]] = True
        start_ps = np.full(len(keys), np.iinfo(np.int64).max)
        np.minimum.at(start_ps, number, steps.start_ps[known] + self.shift_ps[steps.host[known]])
        common = np.flatnonzero(present.sum(axis=1) >= hosts)
        ordered = common[np.argsort(start_ps[common], kind="stable")]
        rank = np.full(len(keys), NO_STEP, dtype=np.int64)
        rank[ordered] = np.arange(len(ordered))
        found[known] = rank[number]
        return found

    @property
    def step_count(self) -> int:
        """How many steps all hosts have."""
        return int(self.step_of_row.max(initial=-1)) + 1

    @cached_property
    def replayed_steps(self) -> float:
        """How many steps the replay is of: it goes from the first run of a program in which devices met to the last."""
        moments = np.unique(self.instances.moment)
        if not len(moments):
            return 0.0
        program = np.zeros(int(self.moment.max()) + 1, dtype=np.int64)
        program[self.moment] = self.summary.runs.program
        of_steps = self.summary.steps.run
        stands = self.moment[of_steps[of_steps >= 0]]
        # The program of most steps, or of most runs where there are none; in a step it may run several times.
        values, counts = np.unique(program[stands if len(stands) else moments], return_counts=True)
        main = values[int(counts.argmax())]
        of_main = np.flatnonzero(program[moments] == main)
        if not len(stands) or not len(of_main):
            # What met is not in the steps: they are what a step is then.
            return float(max(1, len(of_main), self.step_count))
        steps = self.summary.steps
        own = np.flatnonzero(steps.host == steps.host[0])
        runs, first_device = self.summary.runs, int(np.flatnonzero(self.host_of_device == steps.host[0])[0])
        mine = runs.start_ps[(runs.device == first_device) & (runs.program == main)]
        step = np.searchsorted(steps.start_ps[own], mine, side="right") - 1
        ends_ps = (steps.start_ps + steps.duration_ps)[own]
        inside = int(np.count_nonzero((step >= 0) & (mine < ends_ps[step])))
        return len(of_main) * len(own) / inside if inside else float(len(of_main))

    def per_step_ps(self, replayed_ps: int) -> int:
        """A time of the whole replay as a time per step."""
        return round(replayed_ps / self.replayed_steps) if self.replayed_steps else 0

    def is_of_host(self, host: int) -> Bool:
        """By device whether it is a host's."""
        chosen: Bool = self.host_of_device == host
        return chosen


def compare(summary: Summary) -> Comparison:
    """Join what the hosts of a summary did: find what met, and the clocks by it."""
    started = [each.started_ns for each in summary.hosts]
    first = min((each for each in started if each is not None), default=0)
    # Where it is not said when a host began, only what met says how it lies to the others.
    apart_ns = [0 if each is None else min(each - first, _MOST_APART_NS) for each in started]
    starts_ps = np.array(apart_ns, dtype=np.int64) * 1000
    hosts = summary.host_of_device
    of_run = starts_ps[hosts[summary.runs.device]]
    runs = attrs.evolve(summary.runs, start_ps=summary.runs.start_ps + of_run, end_ps=summary.runs.end_ps + of_run)
    moment = matched_runs(runs, hosts)
    met = instances_of(summary.collectives, moment, summary.ids).moved(starts_ps[hosts])
    clocks = clocks_of(met, hosts, len(summary.hosts))
    corrected = met.moved(clocks.applied_ps[hosts]) if clocks.applied_ps.any() else met
    return Comparison(summary, starts_ps, moment, corrected.in_doubt(hosts, clocks.error_ps[hosts]), clocks)
