// The details pane of the graph: a node with its figures, what makes what it uses and what uses what it makes.

import * as l10n from '@vscode/l10n';
import type { GraphEdge, GraphNode } from '../../../src/protocol';
import { LineLink } from '../../shared/controls/lineLink';
import { Facts } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { Ways } from '../../shared/frame/ways';
import { PhaseName } from '../../shared/op/phaseName';
import { functionText } from '../../shared/op/words';
import { count } from '../../shared/text/format';
import { BYTES, COUNT, quantityText } from '../../shared/text/quantities';
import { figureFacts } from './figures';
import { ownItems } from './menu';
import { badgesOf, selectionOf, subtitleOf, titleOf } from './model/words';
import type { Viewer } from './viewer';

/** Neighbours that are listed of each kind. */
const MOST_LISTED = 12;

export function Details({ viewer }: { readonly viewer: Viewer }) {
  return viewer.selected === null ? (
    <Summary viewer={viewer} />
  ) : (
    <NodeDetails viewer={viewer} node={viewer.selected} />
  );
}

function NodeDetails({ viewer, node }: { readonly viewer: Viewer; readonly node: GraphNode }) {
  const { model } = viewer;
  const title = titleOf(node);
  return (
    <>
      <h2 class="details-title">{[title, ...badgesOf(node)].join(' ')}</h2>
      {node.name === title || node.kind === 'rest' ? null : <p class="quiet code details-title">{node.name}</p>}
      {node.shape === '' ? null : <p class="quiet code shape">{node.shape}</p>}
      {node.phase === null ? null : (
        <p>
          <PhaseName phase={node.phase} />
        </p>
      )}
      {node.line === null ? null : (
        <p>
          <LineLink place={node} />
          <span class="quiet"> {functionText(node.function)}</span>
        </p>
      )}
      {node.scope === '' || node.kind === 'scope' ? null : <p class="quiet code details-title">{node.scope}</p>}
      <Facts facts={figureFacts(node, viewer.record.extent)} />
      <Neighbours
        title={l10n.t('Made by')}
        edges={model.into.get(node.key) ?? []}
        all={node.producers}
        otherOf={({ source }) => model.byKey.get(source)}
        viewer={viewer}
      />
      <Neighbours
        title={l10n.t('Used by')}
        edges={model.outOf.get(node.key) ?? []}
        all={node.consumers}
        otherOf={({ target }) => model.byKey.get(target)}
        viewer={viewer}
      />
      <Ways selection={selectionOf(node)}>
        {ownItems(viewer, node).map(({ label, run }) => (
          <button key={label} type="button" class="link" onClick={run}>
            {label}
          </button>
        ))}
      </Ways>
    </>
  );
}

function Neighbours(props: {
  readonly title: string;
  readonly edges: readonly GraphEdge[];
  /** How many there are in the whole program. */
  readonly all: number;
  readonly otherOf: (edge: GraphEdge) => GraphNode | undefined;
  readonly viewer: Viewer;
}) {
  const { title, edges, all, otherOf, viewer } = props;
  const listed = edges.flatMap((edge) => {
    const node = otherOf(edge);
    return node === undefined ? [] : [{ edge, node }];
  });
  const more = Math.max(all, listed.length) - Math.min(listed.length, MOST_LISTED);
  return listed.length === 0 ? null : (
    <>
      <PlainTable
        titles={[title, l10n.t('Bytes')]}
        rows={listed.slice(0, MOST_LISTED).map(({ edge, node }, position) => ({
          key: String(position),
          name: (
            <>
              <button type="button" class="link" onClick={() => viewer.select(node)}>
                {titleOf(node)}
              </button>{' '}
              <span class="quiet">{subtitleOf(node)}</span>
            </>
          ),
          cells: [{ text: quantityText(BYTES, edge.bytes), exact: edge.bytes === null ? '' : BYTES.exact(edge.bytes) }],
        }))}
      />
      {more <= 0 ? null : <p class="quiet">{l10n.t('and {0} more', count(more))}</p>}
    </>
  );
}

/** What there is, and how to go through it. */
function Summary({ viewer }: { readonly viewer: Viewer }) {
  const { record } = viewer;
  const program = record.programs.find(({ key }) => key === record.program) ?? null;
  const keys: readonly (readonly [string, string])[] = [
    [l10n.t('arrow keys'), l10n.t('along edges, and to the sides')],
    ['[ ]', l10n.t('to what makes or uses the most')],
    ['O', l10n.t('open or close, follow a hub')],
    ['N', l10n.t('the neighbours of an op, the ops of a line')],
    ['+ −', record.level === 'ops' ? l10n.t('more or fewer neighbours') : l10n.t('zoom')],
    ['Z 0', l10n.t('zoom, all of it')],
    ['⌫', l10n.t('out of what it is in')],
    [l10n.t('Home'), l10n.t('all lines')],
    [l10n.t('Enter'), l10n.t('go to the line')],
  ];
  return (
    <>
      <h2 class="details-title">{program === null ? l10n.t('All programs') : program.name}</h2>
      <Facts
        facts={[
          program === null
            ? { name: l10n.t('programs'), text: count(record.programs.length) }
            : { name: l10n.t('instructions'), text: COUNT.text(program.instructions) },
          { name: l10n.t('nodes'), text: count(record.nodes.length) },
          { name: l10n.t('edges'), text: count(viewer.model.edges.length) },
          record.left_out === 0 ? null : { name: l10n.t('left out'), text: count(record.left_out) },
        ]}
      />
      <section>
        <h3>{l10n.t('Keys')}</h3>
        <dl class="facts-list graph-keys">
          {keys.map(([key, meaning]) => (
            <div key={key}>
              <dt>{meaning}</dt>
              <dd>{key}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
