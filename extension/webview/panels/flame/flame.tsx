// The panel Flame Graph.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { FlameMeasure, FlameRecord, OpenedRun, ViewAnswer } from '../../../src/protocol';
import { IcicleView } from '../../shared/charts/icicle/icicleView';
import { useZoom } from '../../shared/charts/icicle/zoom';
import { Legend, phaseEntries } from '../../shared/charts/legend';
import { ColourChoice, tintEntries, useColouredBy } from '../../shared/comparison/colourBy';
import { useDevice } from '../../shared/controls/deviceSelect';
import { selectionOf } from '../../shared/controls/lineLink';
import { remedyOf } from '../../shared/findings/actions';
import { Findings } from '../../shared/findings/findings';
import { ListPanel } from '../../shared/frame/listPanel';
import { lineText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { Empty } from '../../shared/page/states';
import { dotted } from '../../shared/text/format';
import { greatestRow } from '../../shared/table/greatest';
import { search as searched, wordsOf } from '../../shared/table/search';
import { tableState } from '../../shared/table/tableState';
import { Card } from './card';
import { useComparedFlame } from './compared';
import { flameColumns, INCLUSIVE_COLUMN } from './columns';
import { Details } from './details';
import './flame.css';
import { type FlameLine, lineKey, linesOf } from './lines';
import { panel } from './panel';
import { foundText, statusParts } from './status';
import { chosenIn, Tools } from './tools';
import { type FlameNode, flameTree, type FlameTree, mainPath, phaseOf, phaseShares } from './tree';
import { measureName, partText, quantityOf, readout } from './words';

type Row = FlameNode | FlameLine;

export function Flame() {
  const { host, saved } = usePage();
  const device = useDevice();
  const { measure, libraries } = chosenIn(saved);
  const asked = measure.value ?? usualMeasure(host.facts.value?.shownRun ?? null);
  return (
    <RecordView
      panel={panel}
      params={{ measure: asked, libraries: libraries.value, device }}
      // What is measured can be changed where there is nothing of it.
      isEmpty={() => false}
      show={(view) =>
        view.record.total > 0 ? <FlameGraph view={view} /> : <NothingMeasured record={view.record} measure={asked} />
      }
    />
  );
}

/** Of a program that did not run there is no time, and of a snapshot of memory nothing else. */
function usualMeasure(run: OpenedRun | null): FlameMeasure {
  return run?.memory_alone === true ? 'memory' : run?.never_ran === true ? 'flops' : 'op-time';
}

function NothingMeasured(props: { readonly record: FlameRecord; readonly measure: FlameMeasure }) {
  const { saved } = usePage();
  const finding = props.record.findings.find(({ severity }) => severity === 'empty');
  const remedy = remedyOf(finding ?? null);
  return (
    <>
      <div class="tool-row">
        <Tools chosen={chosenIn(saved)} measure={props.measure} />
      </div>
      <Empty
        reason={finding?.text ?? l10n.t('There is nothing to show.')}
        remedy={finding?.remedy ?? ''}
        remedies={remedy === null ? [] : [remedy]}
      />
    </>
  );
}

function FlameGraph({ view }: { readonly view: ViewAnswer<FlameRecord> }) {
  const { record } = view;
  const { host, saved } = usePage();
  const chosen = chosenIn(saved);
  const search = saved.signal('search', '');
  const inTime = chosen.order.value === 'time';
  const tree = useMemo(() => flameTree(record, inTime), [record, inTime]);
  const { root, byKey } = tree;
  const quantity = useMemo(() => quantityOf(record), [record]);
  const lines = useMemo(() => linesOf(root), [root]);
  const roots = useMemo(() => [root], [root]);
  const sort = { column: INCLUSIVE_COLUMN, descending: true };
  const stacks = tableState(
    saved,
    'stacks',
    sort,
    useMemo(() => mainPath(root).map(keyOf), [root]),
  );
  const ofLines = tableState(saved, 'lines', sort);
  const showsLines = chosen.rows.value === 'lines';
  const columns = useMemo(() => flameColumns<Row>({ whole: record.total, quantity }), [record, quantity]);
  const hits = searched({ roots, keyOf, childrenOf: nodesBelow, textOf }, columns, wordsOf(search.value));
  const compared = useComparedFlame(record, chosen.libraries.value, tree, showsLines);
  const tinted = useColouredBy().by === 'change' ? compared : null;
  const look = useMemo(
    () =>
      tinted === null
        ? { labelOf }
        : {
            labelOf: (node: FlameNode) => {
              const [arrow, text] = tinted.markOf(node);
              return [arrow, node.name, text, placeOf(node)].filter((part) => part !== '').join('  ');
            },
            tintOf: tinted.tintOf,
          },
    [tinted],
  );
  const { top, selected, zoomTo, reveal } = useZoom(byKey, root, stacks);
  const shares = useMemo(() => phaseShares(top), [top]);
  const show = (node: FlameNode): void => {
    reveal(node);
    ofLines.selected.value = lineKey(node);
  };
  const select = (row: Row): void => {
    const node = nodeOf(row);
    show(node);
    host.select(selectionOf(node));
  };
  return (
    <ListPanel<Row>
      view={view}
      extent={record.extent}
      head={<Findings findings={record.findings} />}
      details={<Details root={root} node={selected ?? root} quantity={quantity} onSelect={select} />}
      status={statusParts(record, quantity, hits?.rows ?? null)}
      controls={<ColourChoice usual={l10n.t('Phase')} />}
      arrangement={String(showsLines)}
      selected={selected}
      onFollow={(selection) => {
        const node = followed(tree, selection);
        if (node !== null) {
          show(node);
        }
      }}
      search={search}
      searchLabel={l10n.t('Search functions and lines')}
      tools={
        <>
          {hits === null ? null : <output class="found">{foundText(record, quantity, hits.rows)}</output>}
          <Tools chosen={chosen} measure={record.measure} />
        </>
      }
      picture={
        <IcicleView
          label={l10n.t('{0} by the stack of Python', measureName(record.measure))}
          whole={root}
          top={top}
          grows={chosen.layout.value === 'flame' ? 'up' : 'down'}
          order={inTime ? 'tree' : 'amount'}
          amountOf={amountOf}
          amountText={quantity.text}
          readout={(node) =>
            dotted([readout(node, root, quantity), tinted === null ? null : tinted.markOf(node).join(' ').trim()])
          }
          card={(node) => <Card node={node} root={root} quantity={quantity} change={compared?.wordsOf(node) ?? ''} />}
          nameOf={nodeName}
          {...look}
          phaseOf={phaseOf}
          sharesOf={phaseShares}
          isFound={hits?.leadsTo}
          selected={selected}
          onSelect={select}
          onZoom={zoomTo}
          onGo={(node) => host.goToLineOf(node)}
        >
          <Legend
            entries={
              tinted === null
                ? phaseEntries(shares, (ratio) => partText(quantity, ratio))
                : tintEntries(tinted.rows.sides.since)
            }
          />
        </IcicleView>
      }
      label={showsLines ? l10n.t('Lines, whatever calls them') : l10n.t('Stacks of Python')}
      columns={columns}
      compared={compared?.rows ?? null}
      state={showsLines ? ofLines : stacks}
      roots={showsLines ? lines : roots}
      keyOf={keyOf}
      childrenOf={childrenOf}
      textOf={textOf}
      opensFound
      onSelect={select}
      selectionOf={(row) => selectionOf(nodeOf(row))}
      menuOf={(row) => [{ label: l10n.t('Zoom to This'), run: () => zoomTo(nodeOf(row)) }]}
    />
  );
}

const keyOf = ({ key }: Row): string => key;
const childrenOf = (row: Row): readonly Row[] => row.children;
const nodesBelow = ({ children }: FlameNode): readonly FlameNode[] => children;
const amountOf = ({ inclusive }: FlameNode): number => inclusive;
const nodeName = ({ name }: FlameNode): string => name;
const placeOf = ({ path, line }: FlameNode): string => (line === null ? '' : lineText(path, line));
const labelOf = (node: FlameNode): string => (node.line === null ? node.name : `${node.name} · ${placeOf(node)}`);
const nodeOf = (row: Row): FlameNode => ('greatest' in row ? row.greatest : row);
/** The whole is not searched for: it would show everything. */
const textOf = (row: Row): string =>
  nodeOf(row).row === null ? '' : [row.name, row.path ?? '', String(row.line ?? '')].join('\n');

/** The node with the most of a line, or of the line of an op. */
function followed({ byKey }: FlameTree, selection: Selection): FlameNode | null {
  const meant = [...byKey.values()].filter(
    ({ file, line }) => file !== null && file === selection.file && line === selection.line,
  );
  return greatestRow(meant, amountOf);
}
