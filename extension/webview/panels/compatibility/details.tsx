// The details pane of Compatibility: an op with the compiler's words, a place with its ops, or what helps.

import * as l10n from '@vscode/l10n';
import type { CompatibilityOp, CompatibilityPlace, CompatibilityRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { LineLink } from '../../shared/controls/lineLink';
import { FindingsBelow } from '../../shared/findings/findings';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { functionText } from '../../shared/op/words';
import { phaseName } from '../../shared/text/phases';
import { COUNT, RATIO } from '../../shared/text/quantities';
import { countOf, judgedText, outcomeText, whyText, VERDICTS, verdictWord } from './words';

export function OpDetails({ op }: { readonly op: CompatibilityOp }) {
  const { text, icon, meaning } = verdictWord(op.verdict);
  const said = op.sentence === '' ? op.kind_of_error : op.sentence;
  return (
    <>
      <h2 class="details-title code">{op.primitive}</h2>
      <p title={meaning}>
        <Icon name={icon} /> {text}
      </p>
      {op.line === null ? null : (
        <p>
          <LineLink place={op} />
        </p>
      )}
      <Facts
        facts={[
          quantityFact(l10n.t('Count'), COUNT, op.count),
          fact(l10n.t('Function'), functionText(op.function)),
          fact(l10n.t('Scope'), op.scope),
          op.phase === null ? null : fact(l10n.t('Phase'), phaseName(op.phase)),
          fact(l10n.t('Operands'), op.operands.join(', ')),
          fact(l10n.t('Results'), op.results.join(', ')),
          fact(l10n.t('Element types that it lacks'), op.wide.join(', ')),
          fact(l10n.t('Parameters'), op.parameters),
          fact(l10n.t('Programs'), op.programs.join(', ')),
          fact(l10n.t('Judged by'), judgedText(op.judged_by)),
        ]}
      />
      {said === '' ? null : (
        <section>
          <h3>{l10n.t('What was said')}</h3>
          <p>{said}</p>
          {op.message === '' || op.message === said ? null : <pre class="said">{op.message}</pre>}
        </section>
      )}
    </>
  );
}

export function PlaceDetails(props: { readonly place: CompatibilityPlace; readonly ops: readonly CompatibilityOp[] }) {
  const { place, ops } = props;
  return (
    <>
      {place.name === '' ? null : <h2 class="details-title code">{place.name}</h2>}
      {place.line === null ? null : (
        <p>
          <LineLink place={place} />
        </p>
      )}
      <Facts
        facts={[
          place.outcome === null ? null : fact(l10n.t('Becomes'), outcomeText(place.outcome)),
          quantityFact(l10n.t('Valid'), RATIO, place.ops === 0 ? null : place.valid_ratio),
          quantityFact(l10n.t('Ops'), COUNT, place.ops),
          ...VERDICTS.map((verdict) => {
            const number = countOf(place, verdict);
            return number === 0 ? null : quantityFact(verdictWord(verdict).text, COUNT, number);
          }),
        ]}
      />
      {place.message === '' ? null : <p>{place.message}</p>}
      {ops.length === 0 ? null : (
        <section>
          <h3>{l10n.t('Not native')}</h3>
          <ul class="not-native">
            {ops.map((op) => (
              <li key={op.key} title={whyText(op)}>
                <Icon name={verdictWord(op.verdict).icon} /> <code>{op.primitive}</code>{' '}
                <span class="quiet">{verdictWord(op.verdict).text}</span>{' '}
                {op.line === null ? null : <LineLink place={op} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

export function AllDetails({ record }: { readonly record: CompatibilityRecord }) {
  return (
    <>
      <h2 class="details-title">{l10n.t('What helps')}</h2>
      <FindingsBelow findings={record.findings.filter(({ severity }) => severity === 'advice')} icon="lightbulb" />
      <FindingsBelow findings={record.findings.filter(({ severity }) => severity === 'note')} />
    </>
  );
}

function fact(name: string, text: string): Fact | null {
  return text === '' ? null : { name, text };
}
