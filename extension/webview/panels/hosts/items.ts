// What is looked at: cores, or the means of the cores of a chip or of a host; over all steps, or in one.

import * as l10n from '@vscode/l10n';
import type { HostsRecord, HostsStep } from '../../../src/protocol';
import { CORE_PARTS, type CorePart, corePartName, type CoreParts } from './parts';
import { deviceName } from './words';

export type Grouping = 'core' | 'chip' | 'host';
export type CoreQuantity = CorePart | 'step' | 'cost';

export interface CoreItem {
  readonly key: string;
  readonly name: string;
  readonly host: string;
  /** Of a core or a chip, where it is known. */
  readonly chip: number | null;
  /** The positions of its cores in the record. */
  readonly cores: readonly number[];
  /** Null where none of its cores is in the step. */
  readonly duration_ps: number | null;
  readonly parts: CoreParts;
  /** A mean over all steps, whatever the step. */
  readonly cost_ps: number | null;
}

interface CoreTimes {
  readonly duration_ps: number;
  readonly parts: CoreParts;
}

/** The groupings that tell anything apart. */
export function groupingsOf({ cores, hosts }: HostsRecord): readonly Grouping[] {
  const chips = new Set(cores.map(({ host, chip }) => `${host} ${String(chip)}`));
  const hasChips = cores.every(({ chip }) => chip !== null) && chips.size < cores.length;
  return ['core', ...(hasChips ? (['chip'] as const) : []), ...(hosts.length > 1 ? (['host'] as const) : [])];
}

/** In the order of the record's cores, each group where its first core is; `step` null is the mean of all steps. */
export function itemsOf(record: HostsRecord, grouping: Grouping, step: HostsStep | null): readonly CoreItem[] {
  const times = timesOf(record, step);
  const groups = new Map<string, number[]>();
  record.cores.forEach(({ host, chip, device }, at) => {
    const key = { core: `${host}\n${device}`, chip: `${host}\n${String(chip)}`, host }[grouping];
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [at]);
    } else {
      group.push(at);
    }
  });
  const isOneHost = record.hosts.length < 2;
  return [...groups].flatMap(([key, cores]) => {
    const first = record.cores[cores[0] ?? -1];
    if (first === undefined) {
      return [];
    }
    const known = cores.map((at) => times[at]).filter((each) => each !== undefined);
    const own = {
      core: deviceName(first.device),
      chip: l10n.t('chip {0}', first.chip ?? ''),
      host: '',
    }[grouping];
    return [
      {
        key,
        name: isOneHost && own !== '' ? own : `${first.host} ${own}`.trimEnd(),
        host: first.host,
        chip: grouping === 'host' ? null : first.chip,
        cores,
        duration_ps: mean(known.map(({ duration_ps: time }) => time)),
        parts: Object.fromEntries(
          CORE_PARTS.map((part) => [part, mean(known.map(({ parts }) => parts[part] ?? 0)) ?? 0]),
        ),
        cost_ps: mean(cores.map((at) => record.cores[at]?.cost_per_step_ps ?? null).filter((cost) => cost !== null)),
      },
    ];
  });
}

function timesOf({ cores }: HostsRecord, step: HostsStep | null): readonly (CoreTimes | undefined)[] {
  if (step === null) {
    return cores.map(({ step_ps: duration_ps, parts }) => ({ duration_ps, parts }));
  }
  const byCore = new Map(step.cores.map((each) => [each.core, each]));
  return cores.map((_, at) => byCore.get(at));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Null where it is not known of the item. */
export function amountOf(item: CoreItem, quantity: CoreQuantity): number | null {
  return quantity === 'cost'
    ? item.cost_ps
    : quantity === 'step' || item.duration_ps === null
      ? item.duration_ps
      : (item.parts[quantity] ?? 0);
}

/** What is looked at first: what a core costs, else how long it waits; all steps of cores that meet are as long. */
export function firstQuantity(quantities: readonly CoreQuantity[]): CoreQuantity {
  return (['cost', 'collective-wait'] as const).find((each) => quantities.includes(each)) ?? 'step';
}

/** What can be looked at: the cost where it is known, the step, and the parts that there are. */
export function quantitiesOf({ cores }: HostsRecord): readonly CoreQuantity[] {
  return [
    ...(cores.some(({ cost_per_step_ps: cost }) => cost !== null) ? (['cost'] as const) : []),
    'step',
    ...CORE_PARTS.filter((part) => cores.some(({ parts }) => (parts[part] ?? 0) > 0)),
  ];
}

export function quantityName(quantity: CoreQuantity): string {
  return quantity === 'cost'
    ? l10n.t('cost per step')
    : quantity === 'step'
      ? l10n.t('step time')
      : corePartName(quantity);
}
