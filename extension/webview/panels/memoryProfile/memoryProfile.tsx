// The panel Memory Profile.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MemoryProfileRecord, ViewAnswer } from '../../../src/protocol';
import type { Span } from '../../shared/charts/span';
import { TableToggle } from '../../shared/charts/tableToggle';
import { byteSize } from '../../shared/text/format';
import { Figures } from '../../shared/frame/figures';
import { Frame } from '../../shared/frame/frame';
import { useStatusLine } from '../../shared/frame/status';
import { selectionOf } from '../../shared/controls/lineLink';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { Select } from '../../shared/controls/select';
import { Findings } from '../../shared/findings/findings';
import { PointTable } from '../../shared/charts/pointTable';
import { Areas } from './areas';
import { sampleTableColumns } from './columns';
import { BreakdownDetails, MemorySummary, SampleCard, SnapshotDetails } from './details';
import { figures } from './head';
import './memoryProfile.css';
import { OutOfMemory } from './outOfMemory';
import { panel } from './panel';
import { fullest, sampleColumns } from './samples';
import { statusParts } from './status';
import { type ListName, Lists, listStates, type LookedRow } from './lists';

/** What is looked at: a sample of the memory, or a row of a list. */
type Looked = LookedRow | { readonly kind: 'sample'; readonly at: number };

export function MemoryProfile() {
  const { path } = usePage();
  return (
    <RecordView
      panel={panel}
      params={{ path }}
      isEmpty={({ record }) =>
        record.memories.length === 0 && record.snapshots.length === 0 && record.out_of_memory === null
      }
      show={(view) => <ProfileOfMemory view={view} />}
    />
  );
}

function ProfileOfMemory({ view: { record, run } }: { readonly view: ViewAnswer<MemoryProfileRecord> }) {
  const { host, saved } = usePage();
  const wished = saved.signal<string | null>('memory', null);
  const asTable = saved.signal('asTable', false);
  const shown = saved.signal<Span | null>('shown', null);
  const list = saved.signal<ListName>('list', 'breakdown');
  const [point, setPoint] = useState<number | null>(null);
  const [looked, setLooked] = useState<Looked | null>(null);

  const memory = record.memories.find(({ id }) => id === wished.value) ?? fullest(record.memories);
  const columns = useMemo(() => (memory === null ? null : sampleColumns(memory)), [memory]);
  const sampleTable = useMemo(() => (columns === null ? [] : sampleTableColumns(columns)), [columns]);
  // What was looked at in another memory or record is nowhere any more.
  useEffect(() => {
    setPoint(null);
    setLooked(null);
  }, [memory]);

  const look = (row: LookedRow): void => {
    setLooked(row);
    setPoint(null);
    const selection = selectionOf(row.row);
    if (selection !== null) {
      host.select(selection);
    }
  };
  const pick = (at: number | null): void => {
    setLooked(at === null ? null : { kind: 'sample', at });
    // A row that is pressed again is then looked at again.
    for (const each of listStates(saved)) {
      each.selected.value = null;
    }
  };
  const chooseMemory = (id: string): void => {
    wished.value = id;
    shown.value = null;
  };
  const picked = looked?.kind === 'sample' ? looked.at : null;
  const sample = columns?.samples[point ?? picked ?? -1];
  // A curve through one reading would be an empty chart.
  const isCurve = columns !== null && columns.samples.length > 1;
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={
        record.memories.length < 2 ? null : (
          <Select
            label={l10n.t('Memory')}
            options={record.memories.map(({ id, name, peak_bytes: peak }) => ({
              value: id,
              label: `${name} · ${byteSize(peak)}`,
            }))}
            value={memory?.id ?? ''}
            onChange={chooseMemory}
          />
        )
      }
      isChosen={looked !== null}
      details={
        sample !== undefined && memory !== null ? (
          <SampleCard sample={sample} memory={memory} />
        ) : looked?.kind === 'snapshot' ? (
          <SnapshotDetails row={looked.row} whole_bytes={looked.whole_bytes} />
        ) : looked?.kind === 'breakdown' && memory !== null ? (
          <BreakdownDetails row={looked.row} memory={memory} />
        ) : memory === null ? null : (
          <MemorySummary memory={memory} />
        )
      }
      status={useStatusLine(statusParts(record, memory))}
    >
      {record.out_of_memory === null ? null : <OutOfMemory record={record.out_of_memory} />}
      {memory === null || columns === null ? null : (
        <Figures label={l10n.t('Memory at its peak')} figures={figures(memory, columns)} />
      )}
      <Findings findings={record.findings} />
      {memory === null || columns === null || columns.samples.length === 0 ? null : (
        <>
          <div class="tool-row">
            <span class="quiet">{l10n.t('Memory over time')}</span>
            <span class="spacer" />
            {isCurve ? <TableToggle asTable={asTable} /> : null}
          </div>
          {isCurve ? null : (
            <p class="quiet only-reading">
              {l10n.t('Memory was read once while the profile was taken: a curve needs a longer window.')}
            </p>
          )}
          {asTable.value || !isCurve ? (
            <PointTable
              name="samples"
              label={l10n.t('Memory by sample')}
              columns={sampleTable}
              points={columns.samples.length}
              onPick={pick}
              onSelect={pick}
            />
          ) : (
            <Areas
              memory={memory}
              columns={columns}
              snapshots={record.snapshots}
              shown={shown}
              point={point}
              onRead={setPoint}
              picked={picked}
              onPick={pick}
            />
          )}
        </>
      )}
      <Lists record={record} memory={memory} list={list} onLook={look} />
    </Frame>
  );
}
