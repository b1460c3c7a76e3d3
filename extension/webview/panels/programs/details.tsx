// The details pane of Programs: one program with its arguments, one cause of compiling, or all of them together.

import * as l10n from '@vscode/l10n';
import type { CompilationRow, ProgramRow, ProgramsRecord } from '../../../src/protocol';
import type { Selection } from '../../../src/panels/messages';
import { LineLink } from '../../shared/controls/lineLink';
import { FindingsBelow } from '../../shared/findings/findings';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { Ways } from '../../shared/frame/ways';
import { count } from '../../shared/text/format';
import { BYTES, TIME } from '../../shared/text/quantities';
import { causeName, changedText, variantText } from './words';

const MOST_ARGUMENTS = 200;

export function ProgramCard(props: { readonly row: ProgramRow; readonly selection: Selection }) {
  const { row } = props;
  const variant = variantText(row);
  return (
    <>
      <h2 class="details-title code">{row.name}</h2>
      {variant === '' ? null : <p class="quiet">{l10n.t('Variant {0}', variant)}</p>}
      <Facts
        facts={[
          { name: l10n.t('Runs'), text: count(row.runs) },
          quantityFact(l10n.t('Together'), TIME, row.time_ps),
          quantityFact(l10n.t('One run'), TIME, row.mean_ps),
          quantityFact(l10n.t('Compile time'), TIME, row.compile_ps),
          quantityFact(l10n.t('Memory at its peak'), BYTES, row.peak_bytes),
          row.instructions === null ? null : { name: l10n.t('Instructions'), text: count(row.instructions) },
        ]}
      />
      {row.line === null ? null : (
        <p>
          {l10n.t('Called at')} <LineLink place={row} />
        </p>
      )}
      <Changes changed={row.changed} />
      {row.arguments.length === 0 ? (
        <p class="quiet">{l10n.t('Its arguments are not known: the profile does not hold the program.')}</p>
      ) : (
        <section>
          <h3>{l10n.t('Arguments')}</h3>
          <ul class="arguments">
            {row.arguments.slice(0, MOST_ARGUMENTS).map(({ name, shape }, at) => (
              <li key={at} class={row.changed.some((each) => each.name === name) ? 'changed' : ''}>
                <code>{name}</code> <code class="quiet">{shape}</code>
              </li>
            ))}
          </ul>
          {row.arguments.length <= MOST_ARGUMENTS ? null : (
            <p class="quiet">{l10n.t('and {0} more', count(row.arguments.length - MOST_ARGUMENTS))}</p>
          )}
        </section>
      )}
      <Ways selection={props.selection} />
    </>
  );
}

export function CompilationCard({ row }: { readonly row: CompilationRow }) {
  return (
    <>
      <h2 class="details-title code">{row.function}</h2>
      <p>{causeName(row.cause)}</p>
      <Facts
        facts={[
          { name: l10n.t('Times'), text: count(row.count) },
          { name: l10n.t('In complete steps'), text: count(row.in_steps) },
          quantityFact(l10n.t('Compile time'), TIME, row.time_ps),
          quantityFact(l10n.t('Each'), TIME, Math.round(row.time_ps / Math.max(1, row.count))),
        ]}
      />
      {row.line === null ? null : <LineLink place={row} />}
      <Changes changed={row.changed} />
    </>
  );
}

export function AllCard({ record }: { readonly record: ProgramsRecord }) {
  const again = record.compilations.filter(({ cause }) => cause !== 'first');
  return (
    <>
      <h2 class="details-title">{l10n.t('All programs')}</h2>
      <Facts
        facts={[
          { name: l10n.t('Programs'), text: count(record.rows.length) },
          quantityFact(l10n.t('Their runs'), TIME, record.program_time_ps),
          quantityFact(l10n.t('Compiling'), TIME, record.compile_ps),
          record.compile_ps === null
            ? null
            : quantityFact(
                l10n.t('Of it compiling again'),
                TIME,
                again.reduce((sum, { time_ps: time }) => sum + time, 0),
              ),
        ]}
      />
      <FindingsBelow findings={record.findings} />
    </>
  );
}

function Changes({ changed }: { readonly changed: ProgramRow['changed'] }) {
  return changed.length === 0 ? null : (
    <section>
      <h3>{l10n.t('What changed')}</h3>
      <ul class="arguments">
        {changed.map((each) => (
          <li key={each.name}>
            <code>{changedText(each)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
