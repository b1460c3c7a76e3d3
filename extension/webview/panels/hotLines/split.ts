// What the wall clock of an extent went to: busy, stalled by cause, idle by class. The parts sum to it.

import * as l10n from '@vscode/l10n';
import type { LineOpRecord, LinesRecord, StallRecord, WallRecord } from '../../../src/protocol';
import type { Part, WaitingClass } from '../../shared/charts/cells';
import { percents } from '../../shared/text/percents';
import { stepsAndDevices } from '../../shared/op/extent';
import { waitingName, waitingParts } from '../../shared/text/waiting';
import { prediction } from '../../shared/text/basis';

/** Op time beyond the time that something ran by so much is of threads that worked side by side. */
const MORE_THAN_ONE_THREAD = 1.01;

/** Classes of less than so much of the wall clock are one part, where there are several. */
const LEAST_RATIO = 0.01;

/** Which part of the wall clock: `busy`, `stalled` on a cause, or `idle` in classes, with `+` between them. */
export type PartId = 'busy' | `stalled ${StallRecord['cause']}` | `idle ${string}`;

export interface WallPart {
  readonly id: PartId;
  readonly hue: Part['hue'];
  readonly name: string;
  /** Beside a swatch that tells busy from idle. */
  readonly shortName: string;
  /** Over all devices; `each_ps` is of one step and device, or of one device. */
  readonly time_ps: number;
  readonly each_ps: number;
  readonly share: string;
}

type NamedPart = Pick<WallPart, 'id' | 'hue' | 'name' | 'shortName' | 'time_ps'>;

/** The parts that there are of. */
export function wallParts(record: LinesRecord, wall: WallRecord): readonly WallPart[] {
  const { extent } = record;
  const parts: readonly NamedPart[] = [
    busyPart(wall),
    ...wall.stalls.map(
      ({ cause, stalled_ps }) =>
        ({
          id: `stalled ${cause}`,
          hue: cause,
          name: stallName(cause),
          shortName: stallName(cause),
          time_ps: stalled_ps,
        }) as const,
    ),
    ...idleParts(record, wall),
  ];
  const there = parts.filter(({ time_ps }) => time_ps > 0);
  const shares = percents(there.map(({ time_ps }) => time_ps));
  const each = eachOf(extent);
  return there.map((part, position) => ({ ...part, each_ps: part.time_ps / each, share: shares[position] ?? '' }));
}

/** What was computed: of a prediction, in which nothing idles, that is all that can be said. */
function busyPart({ busy_ps: time_ps }: WallRecord): NamedPart {
  const [name, shortName] =
    prediction() === null ? [l10n.t('device busy'), l10n.t('busy')] : [l10n.t('computing'), l10n.t('computing')];
  return { id: 'busy', hue: 'busy', name, shortName, time_ps };
}

function idleParts(record: LinesRecord, wall: WallRecord): readonly NamedPart[] {
  const classes = waitingParts(record.idle_classes);
  const small = classes.filter(([, time_ps]) => time_ps < LEAST_RATIO * wall.wall_ps);
  const named = small.length < 2 ? classes : classes.filter((each) => !small.includes(each));
  const parts = named.map(
    ([name, time_ps]) =>
      ({
        id: `idle ${name}`,
        hue: `waiting-${name}`,
        name: idleName(record, name),
        shortName: name === 'unknown' ? idleName(record, name) : waitingName(name),
        time_ps,
      }) as const,
  );
  return small.length < 2
    ? parts
    : [
        ...parts,
        {
          id: `idle ${small.map(([name]) => name).join('+')}`,
          hue: 'waiting-unknown',
          name: l10n.t('idle: the rest'),
          shortName: l10n.t('the rest'),
          time_ps: small.reduce((sum, [, time_ps]) => sum + time_ps, 0),
        },
      ];
}

/** What a line has of the time of a part: what is compared is whether there is any. */
export function hasPart(
  line: { readonly ops: readonly LineOpRecord[]; readonly waiting_classes: LinesRecord['idle_classes'] },
  part: PartId,
): boolean {
  const [kind, of = ''] = part.split(' ');
  return kind === 'idle'
    ? waitingParts(line.waiting_classes).some(([name]) => of.split('+').includes(name))
    : line.ops.some(({ stall, self_ps }) => self_ps > 0 && stall === (kind === 'busy' ? null : of));
}

function idleName(record: LinesRecord, name: WaitingClass): string {
  if (name !== 'unknown') {
    return l10n.t('idle: {0}', waitingName(name));
  }
  if (!isWallKnown(record)) {
    return l10n.t('idle, or of what is missing');
  }
  // Where nothing is known of any of it, there is nothing to say of it.
  return waitingParts(record.idle_classes).length === 1 ? l10n.t('idle') : l10n.t('idle: {0}', waitingName(name));
}

/** What the wall clock of all is divided by to be that of one step and device, or of one device without steps. */
export function eachOf(extent: LinesRecord['extent']): number {
  return extent.steps > 0 ? stepsAndDevices(extent) : Math.max(1, extent.devices);
}

/** Whether all that ran is on record, so that what is not busy is idle: files may be cut off among threads that worked. */
export function isWallKnown({ findings }: LinesRecord): boolean {
  return !findings.some(
    ({ code, values }) =>
      code === 'plane-read-in-part' &&
      Boolean(values.has_ops) &&
      (Boolean(values.lacks_threads) || Boolean(values.lost)),
  );
}

/** Whether there is more op time than wall clock in which ops ran, since threads worked side by side. */
export function exceedsWall({ wall, op_time_ps }: LinesRecord): boolean {
  return wall !== null && isOfThreads(op_time_ps, wall.busy_ps + wall.stalled_ps);
}

/** Whether op time is more than the wall clock in which it was spent. */
export function isOfThreads(op_time_ps: number, wall_ps: number): boolean {
  return op_time_ps > wall_ps * MORE_THAN_ONE_THREAD;
}

function stallName(cause: StallRecord['cause']): string {
  return {
    copy: l10n.t('stalled on copies'),
    // Nothing hides them in a prediction, for nobody knows what would.
    collective: prediction() === null ? l10n.t('stalled on collectives') : l10n.t('collectives, unless hidden'),
    peer: l10n.t('stalled on another device'),
    host: l10n.t('stalled on input from the host'),
  }[cause];
}
