// The card of one op: everything that is known of it. Shown in the details pane of every panel that lists ops.

import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { OpCardRecord } from '../../../../src/protocol';
import { useDetails } from '../../page/details';
import { useDevice } from '../../controls/deviceSelect';
import { Icon, IconButton } from '../../controls/elements';
import { LineLink } from '../../controls/lineLink';
import { opName } from '../opName';
import { functionText, sideWord } from '../words';
import { usePage } from '../../page/page';
import { PhaseName } from '../phaseName';
import { Ways } from '../../frame/ways';
import { Failed, Loading, PATIENCE_MS } from '../../page/states';
import { Arrays, MatrixUnit } from './arrays';
import { Counters, Elements, Stack } from './insides';
import { OnHosts } from './onHosts';
import './opCard.css';
import { TimeFacts, WorkFacts } from './quantities';

/** The card of the op with that key, of the device that is chosen or of all. */
export function OpCard(props: { readonly opKey: string }) {
  const { value, failure, fetchAgain } = useDetails('opCard', { key: props.opKey, device: useDevice() });
  const [shown, setShown] = useState<OpCardRecord | null>(null);
  useEffect(() => {
    if (value !== null) {
      setShown(value);
      return undefined;
    }
    // Until it is there the card before stays, for as long as one would not notice.
    const timer = setTimeout(() => setShown(null), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  if (failure !== null) {
    return <Failed sentence={failure} onTryAgain={fetchAgain} />;
  }
  const card = value ?? shown;
  if (card === null) {
    return <Loading what={l10n.t('Reading the op…')} progress={null} />;
  }
  return (
    <div class="op-card" aria-busy={value === null}>
      <Title card={card} />
      <Expression text={card.expression} />
      <TimeFacts op={card.op} />
      <WorkFacts
        op={card.op}
        peak={card.peak}
        isPaddingPredicted={card.matrix_unit.some(({ predicted }) => predicted)}
      />
      <OnHosts hosts={card.hosts} />
      <Arrays arrays={card.arrays} />
      <MatrixUnit products={card.matrix_unit} />
      <Elements elements={card.elements} />
      <Stack stack={card.stack} />
      <Counters counters={card.counters} />
      <Ways selection={{ kind: 'op', key: card.op.key, file: card.op.file, line: card.op.line }} />
    </div>
  );
}

function Title(props: { readonly card: OpCardRecord }) {
  const { op } = props.card;
  const side = sideWord(op.side);
  return (
    <>
      <h2 class="details-title">{opName(op)}</h2>
      <p class="quiet code op-in-xla">{op.name}</p>
      <p class="quiet op-kind">
        <span>{op.category}</span>
        <span>
          <PhaseName phase={op.phase} />
        </span>
        <span>
          <Icon name={side.icon} /> {side.text}
        </span>
      </p>
      {op.op_name === '' ? null : <p class="quiet code op-name-path">{op.op_name}</p>}
      {op.line === null ? null : (
        <p>
          <LineLink place={op} />
          <span class="quiet"> {functionText(op.function)}</span>
          {op.shared ? <span class="quiet"> {l10n.t('and other lines')}</span> : null}
        </p>
      )}
    </>
  );
}

function Expression(props: { readonly text: string }) {
  const { host } = usePage();
  if (props.text === '') {
    return null;
  }
  return (
    <section class="expression">
      <h3>
        {l10n.t('Expression')}
        <IconButton icon="copy" label={l10n.t('Copy Expression')} onPress={() => host.copy(props.text)} />
      </h3>
      <pre class="code source">{props.text}</pre>
    </section>
  );
}
