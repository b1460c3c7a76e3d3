"""Which devices talk to each other in a collective, by the ids that devices have.

A program numbers its devices by replica and partition. What the numbers in groups mean is told by the collective's
channel and by its flag for global ids (`Instruction.channel_id`).
"""

from collections.abc import Sequence

from scopelight.program.hlo.groups import FLAGGED, MOST_DEVICES, Groups, Pairs
from scopelight.program.hlo.nouns import HloModule, Instruction


def global_groups(module: HloModule, instruction: Instruction) -> Groups:
    """By group the ids of the devices that talk to each other in ``instruction``, over all replicas and partitions.

    Where the module does not record which devices run it, these are replica × partitions + partition. Empty for an
    instruction without groups, and where its groups name replicas or partitions that the module does not have.
    """
    found = instruction.replica_groups
    if found is None or module.device_count > MOST_DEVICES:
        return ()
    if module.device_count == 1 and not module.device_ids:
        # The number of devices may be unknown too.
        return found.groups
    partitions, replicas = module.partition_count, module.device_count // module.partition_count
    channel = instruction.channel_id > 0
    if instruction.uses_global_device_ids:
        groups = _within(found.groups, module.device_count)
    elif not channel:
        groups = _replicas_within(_within(found.groups, replicas), partitions)
    elif instruction.opcode in FLAGGED:
        whole = _within(found.groups, replicas)
        groups = tuple(tuple(r * partitions + p for r in group for p in range(partitions)) for group in whole)
    else:
        groups = _partitions_within(_within(found.groups, partitions), partitions, replicas)
    ids = _ids_of_devices(module)
    return tuple(tuple(ids[each] for each in group) for group in groups) if ids else groups


def global_pairs(module: HloModule, instruction: Instruction) -> Pairs:
    """The ids of the devices that send to each other in ``instruction``, as `global_groups` has them."""
    pairs = instruction.source_target_pairs
    if not pairs or module.device_count > MOST_DEVICES:
        return ()
    if module.device_count == 1 and not module.device_ids:
        return pairs
    partitions, replicas = module.partition_count, module.device_count // module.partition_count
    if max(map(max, pairs)) >= (partitions if instruction.channel_id > 0 else replicas):
        return ()
    if instruction.channel_id > 0:
        found = _partitions_within(pairs, partitions, replicas)
    else:
        found = _replicas_within(pairs, partitions)
    ids = _ids_of_devices(module) or range(module.device_count)
    return tuple((ids[source], ids[target]) for source, target in found)


def _within(groups: Groups, count: int) -> Groups:
    """The groups, all of ``count`` where there are none; none where one names what is not there."""
    if not groups:
        return (tuple(range(count)),)
    return groups if max(map(max, groups)) < count else ()


def _replicas_within(groups: Sequence[Sequence[int]], partitions: int) -> Groups:
    """Groups of replicas, in each partition apart."""
    return tuple(tuple(r * partitions + p for r in group) for group in groups for p in range(partitions))


def _partitions_within(groups: Sequence[Sequence[int]], partitions: int, replicas: int) -> Groups:
    """Groups of partitions, in each replica apart."""
    return tuple(tuple(r * partitions + p for p in group) for group in groups for r in range(replicas))


def _ids_of_devices(module: HloModule) -> Sequence[int]:
    """The devices' ids by replica × partitions + partition; empty where they are not recorded."""
    return [each for replica in zip(*module.device_ids, strict=True) for each in replica]
