// What of the cores a person looks at, and the items that these choices give.

import { useMemo } from 'preact/hooks';
import type { HostsRecord, HostsStep, Layout } from '../../../src/protocol';
import { usePage } from '../../shared/page/page';
import {
  type CoreItem,
  type CoreQuantity,
  type Grouping,
  firstQuantity,
  groupingsOf,
  itemsOf,
  quantitiesOf,
} from './items';
import { drawnGrouping } from './places';

export interface Choices {
  readonly layout: Layout | null;
  readonly grouping: Grouping;
  readonly quantity: CoreQuantity;
  /** The position of a step; null is the mean of all. */
  readonly step: number | null;
  readonly items: readonly CoreItem[];
  readonly onLayout: (kind: Layout['kind']) => void;
  readonly onGrouping: (grouping: Grouping) => void;
  readonly onQuantity: (quantity: CoreQuantity) => void;
  readonly onStep: (step: number | null) => void;
}

/** The steps that can be looked at one by one. */
export function singleSteps({ steps }: HostsRecord): readonly HostsStep[] {
  return steps.some(({ cores }) => cores.length === 0) ? [] : steps;
}

export function useChoices(record: HostsRecord): Choices {
  const { saved } = usePage();
  const layoutKind = saved.signal<Layout['kind'] | null>('layout', null);
  const wishedGrouping = saved.signal<Grouping>('grouping', 'core');
  const wishedQuantity = saved.signal<CoreQuantity | null>('quantity', null);
  const wishedStep = saved.signal<number | null>('step', null);
  const { layouts } = record;
  const layout = layouts.find(({ kind }) => kind === layoutKind.value) ?? layouts[0] ?? null;
  const groupings = groupingsOf(record);
  const wished = groupings.includes(wishedGrouping.value) ? wishedGrouping.value : 'core';
  const grouping = drawnGrouping(record, wished);
  const quantities = quantitiesOf(record);
  const quantity = quantities.find((each) => each === wishedQuantity.value) ?? firstQuantity(quantities);
  const step = wishedStep.value !== null && wishedStep.value < singleSteps(record).length ? wishedStep.value : null;
  const items = useMemo(
    () => itemsOf(record, grouping, step === null ? null : (record.steps[step] ?? null)),
    [record, grouping, step],
  );
  return {
    layout,
    grouping,
    quantity,
    step,
    items,
    onLayout: (kind) => (layoutKind.value = kind),
    onGrouping: (next) => (wishedGrouping.value = next),
    onQuantity: (next) => (wishedQuantity.value = next),
    onStep: (next) => (wishedStep.value = next),
  };
}
