// The panel Step Trace.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { StepTraceRecord, ViewAnswer } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { PointTable } from '../../shared/charts/pointTable';
import { TableToggle } from '../../shared/charts/tableToggle';
import { DeviceSelect, useDevice } from '../../shared/controls/deviceSelect';
import { Findings } from '../../shared/findings/findings';
import { Figures } from '../../shared/frame/figures';
import { Frame } from '../../shared/frame/frame';
import { List } from '../../shared/frame/list';
import { useStatusLine } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { tableState } from '../../shared/table/tableState';
import { BorderFields, type Borders } from './borders';
import { chartNames, type ChartName, chartTitle, curvesOf } from './charts';
import { ChartView } from './chartView';
import { useComparedSteps } from './compared';
import { collectiveColumns, stepColumns } from './columns';
import { MeanCard, StepCard } from './details';
import { figures } from './head';
import { panel } from './panel';
import { statusParts } from './status';
import './stepTrace.css';

const NONE: Borders = { start: '', end: '' };

export function StepTrace() {
  const { saved } = usePage();
  const borders = saved.signal<Borders>('borders', NONE);
  const { start, end } = borders.value;
  return (
    <RecordView
      panel={panel}
      params={{ device: useDevice(), forward_start: start || null, backward_end: end || null }}
      show={(view) => (
        <StepTraceOfRun view={view} borders={borders.value} onBorders={(next) => (borders.value = next)} />
      )}
    />
  );
}

function StepTraceOfRun(props: {
  readonly view: ViewAnswer<StepTraceRecord>;
  readonly borders: Borders;
  readonly onBorders: (borders: Borders) => void;
}) {
  const { record, run, devices, hosts } = props.view;
  const { saved, host } = usePage();
  const wished = saved.signal<ChartName>('chart', 'spans');
  const asTable = saved.signal('asTable', false);
  const search = saved.signal('search', '');
  const [read, setRead] = useState<number | null>(null);
  useEffect(() => setRead(null), [record]);

  const names = chartNames(record);
  const name = names.includes(wished.value) ? wished.value : 'spans';
  const curves = useMemo(() => curvesOf(record, name), [record, name]);
  const columns = useMemo(() => stepColumns(record), [record]);
  const ofCollectives = useMemo(collectiveColumns, []);
  const open = (at: number): void => {
    const row = record.rows[at];
    if (row !== undefined) {
      const { start_ps, duration_ps } = row;
      host.showIn('timeline', { kind: 'time', start_ps, end_ps: start_ps + duration_ps, file: null, line: null });
    }
  };
  const compared = useComparedSteps(record);
  const row = read === null ? undefined : record.rows[read];
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={<DeviceSelect devices={devices} hosts={hosts} />}
      isChosen={row !== undefined}
      onLetGo={() => setRead(null)}
      details={row === undefined ? <MeanCard record={record} /> : <StepCard record={record} row={row} />}
      status={useStatusLine(statusParts(record))}
    >
      <Figures label={l10n.t('The mean step')} figures={figures(record)} />
      <Findings findings={record.findings} />
      {host.facts.value?.isReport === true ? null : (
        <BorderFields record={record} borders={props.borders} onChange={props.onBorders} />
      )}
      <div class="tool-row">
        {asTable.value ? null : (
          <Choice<ChartName>
            label={l10n.t('Chart')}
            options={names.map((value) => ({ value, label: chartTitle(value) }))}
            value={name}
            onChange={(chosen) => (wished.value = chosen)}
          />
        )}
        <span class="spacer" />
        <TableToggle asTable={asTable} />
      </div>
      {asTable.value ? (
        <PointTable
          name="steps"
          label={l10n.t('Steps')}
          columns={columns}
          compared={compared}
          points={record.rows.length}
          onPick={open}
          onSelect={setRead}
        />
      ) : (
        <ChartView
          key={name}
          title={chartTitle(name)}
          rows={record.rows}
          curves={curves}
          read={read}
          onRead={setRead}
          onPick={open}
        />
      )}
      {record.collectives.length === 0 ? null : (
        <List
          search={search}
          searchLabel={l10n.t('Search collectives')}
          label={l10n.t('Collectives')}
          columns={ofCollectives}
          state={tableState(saved, 'collectives', { column: 'exposed', descending: true })}
          roots={record.collectives}
          keyOf={({ key }) => key}
          textOf={({ name: each, primitive }) => `${each}\n${primitive}`}
          selectionOf={({ key, file, line }) => ({ kind: 'op', key, file, line })}
          onSelect={({ key, file, line }) => host.select({ kind: 'op', key, file, line })}
        />
      )}
    </Frame>
  );
}
