// What is in an op and where it comes from: fused instructions, the source stack, what the backend counted.

import * as l10n from '@vscode/l10n';
import type { OpCardRecord, OpElementRecord } from '../../../../src/protocol';
import { type Fact, Facts } from '../../frame/facts';
import { count, flops, share } from '../../text/format';
import { LineLink, type LinePlace } from '../../controls/lineLink';
import { functionText } from '../words';
import { UNKNOWN } from '../../text/quantities';

/** Of a large fusion only the first are listed: a pane of thousands helps nobody. */
const MOST_ELEMENTS = 50;

export function Elements(props: { readonly elements: readonly OpElementRecord[] }) {
  const { elements } = props;
  if (elements.length === 0) {
    return null;
  }
  const left = elements.length - MOST_ELEMENTS;
  return (
    <section>
      <h3>
        {elements.length === 1 ? l10n.t('1 fused element') : l10n.t('{0} fused elements', count(elements.length))}
      </h3>
      <ul class="ops">
        {elements.slice(0, MOST_ELEMENTS).map((element) => (
          <li key={element.name}>
            <div class="op-head">
              <span class="end share-text" title={l10n.t('Share of the time of the fusion, estimated')}>
                {element.share_ratio === null ? UNKNOWN : `≈ ${share(element.share_ratio)}`}
              </span>
              <code class="ellipsis">{element.primitive === '' ? element.opcode : element.primitive}</code>
              <span class="quiet op-name ellipsis" title={element.name}>
                {element.name}
              </span>
              <span class="end op-time">{element.flops === null ? UNKNOWN : flops(element.flops)}</span>
            </div>
            <p class="quiet op-shapes">
              <span class="code">{element.shape}</span> <LineLink place={element} />
            </p>
          </li>
        ))}
      </ul>
      {left > 0 ? <p class="quiet">{l10n.t('and {0} more', count(left))}</p> : null}
    </section>
  );
}

/** A stack, innermost first; every frame whose file is known is a link. */
export function Stack({ stack }: { readonly stack: readonly (LinePlace & { readonly function: string })[] }) {
  if (stack.length === 0) {
    return null;
  }
  return (
    <section>
      <h3>{l10n.t('Stack')}</h3>
      <ol class="stack">
        {stack.map((frame, position) => (
          <li key={position}>
            <LineLink place={frame} /> <span class="quiet">{functionText(frame.function)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Counters(props: { readonly counters: OpCardRecord['counters'] }) {
  const facts: readonly Fact[] = Object.entries(props.counters).map(([name, text]) => ({
    name: name.replaceAll('_', ' '),
    text,
  }));
  return facts.length === 0 ? null : (
    <section>
      <h3>{l10n.t('Counters')}</h3>
      <Facts facts={facts} />
    </section>
  );
}
