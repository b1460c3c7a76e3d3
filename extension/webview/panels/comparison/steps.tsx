// The steps of both sides in one chart: one after the other, or sorted by how long they take; medians are marked.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { ComparedSide, ComparisonRecord } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { usePage } from '../../shared/page/page';
import { count, dotted } from '../../shared/text/format';
import { type Quantity, TIME } from '../../shared/text/quantities';
import { timesOf } from './basis';
import { BothCurves, type Values } from './bothCurves';

type Order = 'inTurn' | 'sorted';

/** As many places of a distribution: its percents. */
const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

export function StepsOfBoth({ record }: { readonly record: ComparisonRecord }) {
  const { saved } = usePage();
  const order = saved.signal<Order>('steps.order', 'inTurn');
  const both = useMemo(() => [stepsOf(record.before), stepsOf(record.after)] as const, [record]);
  const curves = useMemo(() => curvesOf(both, order.value), [both, order.value]);
  const [before, after] = both;
  const written = useMemo(() => timesOf(record), [record]);
  const [earlier, later] = [median(before), median(after)];
  return (
    <BothCurves
      name={`steps.${order.value}`}
      title={l10n.t('How long steps take')}
      axis={order.value === 'sorted' ? l10n.t('% of the steps') : l10n.t('step')}
      placeText={(place) => (Number.isInteger(place) ? count(place) : '')}
      quantity={TIME}
      written={written}
      isDecimal
      {...curves}
      levels={[
        earlier === null
          ? null
          : { kind: 'level', key: 'before', value: earlier, text: l10n.t('median before'), isQuiet: true },
        later === null
          ? null
          : { kind: 'level', key: 'after', value: later, text: l10n.t('median after'), isAbove: true, isQuiet: true },
      ]}
      notes={[note(record.before, before, written.before), note(record.after, after, written.after)]}
      tools={
        <Choice<Order>
          label={l10n.t('Order of the steps')}
          options={[
            { value: 'inTurn', label: l10n.t('One after the other') },
            { value: 'sorted', label: l10n.t('Distribution') },
          ]}
          value={order.value}
          onChange={(value) => (order.value = value)}
        />
      }
    />
  );
}

/** The steps of all rounds of a side, one after the other. */
export function stepsOf({ step_durations_ps: rounds }: ComparedSide): readonly number[] {
  return rounds.flat();
}

function curvesOf(
  [before, after]: readonly [readonly number[], readonly number[]],
  order: Order,
): { readonly places: readonly number[]; readonly before: Values; readonly after: Values } {
  if (order === 'sorted') {
    return { places: PERCENTS, before: distribution(before), after: distribution(after) };
  }
  const places = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at + 1);
  const filled = (steps: readonly number[]): Values => places.map((place) => steps[place - 1] ?? null);
  return { places, before: filled(before), after: filled(after) };
}

/** How long as many percent of the steps take at most. */
export function distribution(steps: readonly number[]): Values {
  const sorted = [...steps].sort((one, other) => one - other);
  return PERCENTS.map((percent) => sorted[Math.round((percent / 100) * (sorted.length - 1))] ?? null);
}

export function median(steps: readonly number[]): number | null {
  const sorted = [...steps].sort((one, other) => one - other);
  const [one, other] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return one === undefined || other === undefined ? null : (one + other) / 2;
}

function note({ runs }: ComparedSide, steps: readonly number[], { text }: Quantity): string {
  const middle = median(steps);
  return dotted([
    steps.length === 1 ? l10n.t('1 step') : l10n.t('{0} steps', count(steps.length)),
    runs.length > 1 ? l10n.t('{0} runs', count(runs.length)) : null,
    middle === null ? null : l10n.t('median {0}', text(middle)),
  ]);
}
