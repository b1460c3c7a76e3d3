// The details pane of a flame graph: a line with its phases, its ops, its callers and what it calls.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { exactLine, LineLink } from '../../shared/controls/lineLink';
import { Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { PhaseName } from '../../shared/op/phaseName';
import { lineText } from '../../shared/op/words';
import type { Quantity } from '../../shared/text/quantities';
import { PHASES } from '../../shared/theme';
import { type Call, calleesOf, callersOf, lineKey } from './lines';
import { type FlameNode, phaseShares } from './tree';
import { partText, tracedName } from './words';

/** Callers and callees that are listed. */
const MOST_CALLS = 12;

export function Details(props: {
  readonly root: FlameNode;
  readonly node: FlameNode;
  readonly quantity: Quantity;
  readonly onSelect: (node: FlameNode) => void;
}) {
  const { root, node, quantity, onSelect } = props;
  const key = lineKey(node);
  const callers = useMemo(() => callersOf(root, key), [root, key]);
  const callees = useMemo(() => calleesOf(root, key), [root, key]);
  const shares = phaseShares(node);
  const phases = PHASES.filter((phase) => (shares[phase] ?? 0) > 0);
  const ops = node.row?.ops ?? [];
  return (
    <>
      <h2 class="details-title">{node.name}</h2>
      {node.line === null ? null : <LineLink place={node} />}
      <Facts
        facts={[
          quantityFact(l10n.t('inclusive'), quantity, node.inclusive),
          { name: l10n.t('share of all'), text: partText(quantity, node.inclusive / Math.max(1, root.inclusive)) },
          quantityFact(l10n.t('self'), quantity, node.self),
        ]}
      />
      {phases.length === 0 ? null : (
        <PlainTable
          titles={[l10n.t('Phase'), l10n.t('Share')]}
          rows={phases.map((phase) => ({
            key: phase,
            name: <PhaseName phase={phase} />,
            cells: [{ text: partText(quantity, shares[phase] ?? 0), exact: quantity.exact(node.phases[phase] ?? 0) }],
          }))}
        />
      )}
      {ops.length === 0 ? null : (
        <PlainTable
          titles={[l10n.t('Largest ops traced here'), l10n.t('Self')]}
          rows={ops.map((op) => ({
            key: op.key,
            name: (
              <span class="code" title={op.name}>
                {tracedName(op)}
              </span>
            ),
            cells: [{ text: quantity.text(op.value), exact: quantity.exact(op.value) }],
          }))}
        />
      )}
      <Calls title={l10n.t('Called by')} calls={callers} quantity={quantity} onSelect={onSelect} />
      <Calls title={l10n.t('Calls')} calls={callees} quantity={quantity} onSelect={onSelect} />
    </>
  );
}

function Calls(props: {
  readonly title: string;
  readonly calls: readonly Call[];
  readonly quantity: Quantity;
  readonly onSelect: (node: FlameNode) => void;
}) {
  const { title, calls, quantity, onSelect } = props;
  return calls.length === 0 ? null : (
    <PlainTable
      titles={[title, l10n.t('Inclusive')]}
      rows={calls.slice(0, MOST_CALLS).map(({ node, value }) => ({
        key: lineKey(node),
        name: (
          <>
            <button type="button" class="link code" title={exactLine(node)} onClick={() => onSelect(node)}>
              {node.name}
            </button>{' '}
            <span class="quiet">{node.line === null ? '' : lineText(node.path, node.line)}</span>
          </>
        ),
        cells: [{ text: quantity.text(value), exact: quantity.exact(value) }],
      }))}
    />
  );
}
