// The card beside the pointer: what a node of the graph is, and all figures of it.

import * as l10n from '@vscode/l10n';
import type { GraphNode } from '../../../src/protocol';
import { Facts } from '../../shared/frame/facts';
import { exactLine } from '../../shared/controls/lineLink';
import { PhaseName } from '../../shared/op/phaseName';
import { count } from '../../shared/text/format';
import { figureFacts } from './figures';
import { badgesOf, titleOf } from './model/words';
import type { Viewer } from './viewer';

export function NodeCard(props: { readonly node: GraphNode; readonly viewer: Viewer }) {
  const { node, viewer } = props;
  const title = titleOf(node);
  const place = exactLine(node);
  const change = viewer.compared?.wordsOf(node) ?? '';
  return (
    <>
      <div>
        {title}
        {badgesOf(node).map((badge) => (
          <span key={badge} class="quiet">
            {' '}
            {badge}
          </span>
        ))}
      </div>
      {node.name === title || node.kind === 'rest' ? null : <div class="code quiet">{node.name}</div>}
      {node.shape === '' ? null : <div class="code quiet shape">{node.shape}</div>}
      {node.line === null || place === title ? null : <div class="quiet">{place}</div>}
      {node.phase === null ? null : (
        <div>
          <PhaseName phase={node.phase} />
        </div>
      )}
      {change === '' ? null : <div>{change}</div>}
      <Facts facts={figureFacts(node, viewer.record.extent)} />
      {node.is_hub && !node.is_open ? (
        <div class="quiet">
          {l10n.t('{0} neighbours, which are not followed', count(node.producers + node.consumers))}
        </div>
      ) : null}
    </>
  );
}
