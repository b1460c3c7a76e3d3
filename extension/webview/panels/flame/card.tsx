// The card beside the pointer: what a cell of the flame graph is.

import * as l10n from '@vscode/l10n';
import { PhaseName } from '../../shared/op/phaseName';
import type { Quantity } from '../../shared/text/quantities';
import { PHASES } from '../../shared/theme';
import { type FlameNode, phaseShares } from './tree';
import { partText, tracedName } from './words';

export function Card(props: {
  readonly node: FlameNode;
  readonly root: FlameNode;
  readonly quantity: Quantity;
  /** What became of it; empty where nothing is known. */
  readonly change: string;
}) {
  const { node, root, quantity, change } = props;
  const shares = phaseShares(node);
  const ops = node.row?.ops ?? [];
  return (
    <>
      <div class="code">{node.name}</div>
      {node.line === null ? null : <div class="quiet">{`${node.path ?? ''}:${String(node.line)}`}</div>}
      <div>
        {l10n.t(
          '{0}, {1} of all',
          quantity.text(node.inclusive),
          partText(quantity, node.inclusive / Math.max(1, root.inclusive)),
        )}
        {node.self === 0 ? null : <span class="quiet"> {l10n.t('self {0}', quantity.text(node.self))}</span>}
      </div>
      {change === '' ? null : <div>{change}</div>}
      {PHASES.filter((phase) => (shares[phase] ?? 0) > 0).map((phase) => (
        <div key={phase}>
          <PhaseName phase={phase} /> <span class="quiet">{partText(quantity, shares[phase] ?? 0)}</span>
        </div>
      ))}
      {ops.map((op) => (
        <div key={op.key}>
          <span class="code">{tracedName(op)}</span> <span class="quiet">{quantity.text(op.value)}</span>
        </div>
      ))}
    </>
  );
}
