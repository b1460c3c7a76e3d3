// The panel Resources.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ResourcesRecord, ViewAnswer } from '../../../src/protocol';
import { PointTable } from '../../shared/charts/pointTable';
import type { Span } from '../../shared/charts/span';
import { TableToggle } from '../../shared/charts/tableToggle';
import { Choice } from '../../shared/controls/choice';
import { Findings } from '../../shared/findings/findings';
import { Figures } from '../../shared/frame/figures';
import { Frame } from '../../shared/frame/frame';
import { useStatusLine } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { chartsOf, type GroupName, groupsOf, groupTitle, missingText } from './charts';
import { ChartView } from './chartView';
import { readingColumns } from './columns';
import { ReadingCard, RowCard, Summary } from './details';
import { figures } from './head';
import { type ListName, Lists, listStates, type LookedRow } from './lists';
import { panel } from './panel';
import './resources.css';
import { statusParts } from './status';
import { spanName } from './words';

/** The window is shown with so much of itself on each side. */
const ROOM = 0.1;
/** A window that is more of the run than this is shown with all of it. */
const LARGE_WINDOW = 0.5;

type Shown = 'window' | 'run' | Span;
/** What is looked at: a reading, or a row of a list. */
type Looked = LookedRow | { readonly kind: 'reading'; readonly at: number };

export function Resources() {
  return <RecordView panel={panel} params={{}} show={(view) => <ResourcesOfRun view={view} />} />;
}

function ResourcesOfRun({ view: { record, run } }: { readonly view: ViewAnswer<ResourcesRecord> }) {
  const { saved, host } = usePage();
  const isOfSteps = (host.facts.value?.scope ?? 'steps') === 'steps';
  const wished = saved.signal<GroupName>('group', 'cores');
  const asTable = saved.signal('asTable', false);
  const shown = saved.signal<Shown>('shown', 'window');
  const list = saved.signal<ListName>('list', 'threads');
  const [point, setPoint] = useState<number | null>(null);
  const [looked, setLooked] = useState<Looked | null>(null);

  const groups = useMemo(() => groupsOf(record), [record]);
  const group = groups.includes(wished.value) ? wished.value : (groups[0] ?? 'cores');
  const charts = useMemo(() => chartsOf(record, group), [record, group]);
  const columns = useMemo(() => readingColumns(record, charts), [record, charts]);
  const window = useMemo(() => windowOf(record), [record]);
  const span = shown.value === 'window' ? window : shown.value === 'run' ? null : shown.value;
  // What was looked at in another record is nowhere any more.
  useEffect(() => {
    setPoint(null);
    setLooked(null);
  }, [record]);

  const pick = (at: number | null): void => {
    setLooked(at === null ? null : { kind: 'reading', at });
    if (at === null) {
      setPoint(null);
    }
    // A row that is pressed again is then looked at again.
    for (const state of Object.values(listStates(saved))) {
      state.selected.value = null;
    }
  };
  const missing = missingText(record, group);
  const last = record.edges_ps.length - 2;
  const reading = point ?? (looked?.kind === 'reading' ? looked.at : null);
  return (
    <Frame
      facts={[run.title, isOfSteps ? run.short : spanName(record.span)].filter((fact) => fact !== '')}
      isChosen={looked !== null}
      onLetGo={() => pick(null)}
      details={
        reading !== null ? (
          <ReadingCard record={record} charts={charts} at={Math.min(reading, last)} />
        ) : looked !== null && looked.kind !== 'reading' ? (
          <RowCard record={record} charts={charts} looked={looked} />
        ) : (
          <Summary record={record} />
        )
      }
      status={useStatusLine(statusParts(record))}
    >
      <Figures label={l10n.t('Resources on average')} figures={figures(record)} />
      <Findings findings={record.findings} />
      <div class="tool-row">
        <Choice<GroupName>
          label={l10n.t('Charts')}
          options={groups.map((value) => ({ value, label: groupTitle(value) }))}
          value={group}
          onChange={(chosen) => (wished.value = chosen)}
        />
        <span class="spacer" />
        {window === null || asTable.value ? null : (
          <Choice<string>
            label={l10n.t('Shown')}
            options={[
              { value: 'window', label: l10n.t('Window') },
              { value: 'run', label: l10n.t('Whole Run') },
            ]}
            value={typeof shown.value === 'string' ? shown.value : ''}
            onChange={(chosen) => (shown.value = chosen === 'run' ? 'run' : 'window')}
          />
        )}
        <TableToggle asTable={asTable} />
      </div>
      {asTable.value ? (
        <PointTable
          // Each group has columns of its own.
          key={group}
          name={`readings of ${group}`}
          label={l10n.t('{0} by reading', groupTitle(group))}
          columns={columns}
          points={last + 1}
          onPick={pick}
          onSelect={pick}
        />
      ) : (
        charts.map((chart, at) => (
          <ChartView
            key={chart.id}
            record={record}
            chart={chart}
            shown={span}
            onShow={(next) => (shown.value = next ?? 'run')}
            point={reading}
            onRead={setPoint}
            onPick={pick}
            hasHint={at === 0}
          />
        ))
      )}
      {missing === null || asTable.value ? null : <p class="missing quiet">{missing}</p>}
      <Lists
        record={record}
        charts={charts}
        list={list}
        onLook={(row) => {
          setLooked(row);
          setPoint(null);
        }}
        onZoom={({ start_ps, end_ps }) => (shown.value = { from: start_ps, to: end_ps })}
      />
    </Frame>
  );
}

/** The captured window with room around it; null where that is most of what was read. */
function windowOf({ window_ps: window, edges_ps: edges }: ResourcesRecord): Span | null {
  const from = edges[0] ?? 0;
  const to = edges[edges.length - 1] ?? 0;
  if (window === null || window > (to - from) * LARGE_WINDOW) {
    return null;
  }
  return { from: Math.max(from, -window * ROOM), to: Math.min(to, window * (1 + ROOM)) };
}
