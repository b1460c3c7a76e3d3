// The details pane of Shapes: one run with its shapes, or what padding to a few sizes would do.

import * as l10n from '@vscode/l10n';
import type { ShapeFamily, ShapesRecord } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { FindingsBelow } from '../../shared/findings/findings';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { Ways } from '../../shared/frame/ways';
import { count, duration, exactDuration, share } from '../../shared/text/format';
import { COUNT, TIME, UNKNOWN } from '../../shared/text/quantities';
import { sizesText } from './words';

export function RunCard({ family, at }: { readonly family: ShapeFamily; readonly at: number }) {
  const run = family.iterations[at];
  const variant = family.variants[run?.variant ?? -1];
  if (run === undefined || variant === undefined) {
    return null;
  }
  const { start_ps, duration_ps } = run;
  return (
    <>
      <h2 class="details-title">{l10n.t('Run {0}', count(run.number))}</h2>
      <Facts
        facts={[
          run.step === null
            ? { name: l10n.t('Step'), text: l10n.t('in no complete step') }
            : quantityFact(l10n.t('Step'), COUNT, run.step),
          quantityFact(l10n.t('Takes'), TIME, run.duration_ps),
          quantityFact(l10n.t('Op time'), TIME, run.op_time_ps),
          { name: l10n.t('Variant'), text: l10n.t('{0} of {1}', variant.number, family.variants.length) },
          quantityFact(l10n.t('Its compile time'), TIME, variant.compile_ps),
          quantityFact(l10n.t('Its runs'), COUNT, variant.runs),
        ]}
      />
      <section>
        <h3>{l10n.t('Its shapes')}</h3>
        <ul class="arguments">
          {variant.shapes.map(({ name, shape }) => (
            <li key={name}>
              <code>{name}</code> <code class="quiet">{shape}</code>
            </li>
          ))}
        </ul>
      </section>
      <Ways selection={{ kind: 'time', start_ps, end_ps: start_ps + duration_ps, file: null, line: null }} />
    </>
  );
}

export function PlansCard({ record, family }: { readonly record: ShapesRecord; readonly family: ShapeFamily }) {
  return (
    <>
      <h2 class="details-title code">{family.function}</h2>
      {family.line === null ? null : (
        <p>
          {l10n.t('Called at')} <LineLink place={family} />
        </p>
      )}
      <section>
        <h3>{l10n.t('Padding to a few sizes')}</h3>
        {family.plans.length === 0 ? (
          <p class="quiet">{l10n.t('Not known: it is not one size of one argument that changes.')}</p>
        ) : (
          <>
            <PlainTable
              titles={[l10n.t('Sizes'), l10n.t('More to compute'), l10n.t('Programs'), l10n.t('Compiles less')]}
              rows={family.plans.map((plan) => ({
                key: sizesText(plan),
                name: <span title={sizesText(plan)}>{sizesText(plan)}</span>,
                cells: [
                  { text: `+${share(plan.padding_ratio)}` },
                  { text: count(plan.compiles) },
                  plan.saved_ps === null
                    ? { text: UNKNOWN, exact: l10n.t('What compiling took is not recorded') }
                    : { text: `≈ ${duration(plan.saved_ps)}`, exact: exactDuration(plan.saved_ps) },
                ],
              }))}
            />
            <p class="row-note quiet">
              {l10n.t(
                'Sizes are rounded up to the next of these. More to compute counts that size over all runs; what is saved is compiling, in the window.',
              )}
            </p>
          </>
        )}
      </section>
      <FindingsBelow findings={record.findings} />
    </>
  );
}
