// The details pane of the Memory Profile: a sample's card, a row of a table, or the memory as a whole.

import * as l10n from '@vscode/l10n';
import type { MemoryBreakdownRow, MemoryRecord, MemorySample, MemorySnapshotRow } from '../../../src/protocol';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { count, share } from '../../shared/text/format';
import { BYTES, UNKNOWN } from '../../shared/text/quantities';
import { LineLink, selectionOf } from '../../shared/controls/lineLink';
import { functionText } from '../../shared/op/words';
import { Stack } from '../../shared/op/card/insides';
import { Ways } from '../../shared/frame/ways';
import { basisMark } from './columns';
import { usedBytes } from './samples';
import { activityName, basisMeaning, kindName, moment, opText, sourceText } from './words';

const bytesFact = (name: string, bytes: number | null, mark = ''): Fact => quantityFact(name, BYTES, bytes, mark);

/** Of a memory whose allocator tells nothing of an allocation those lines would all be empty. */
export function SampleCard(props: { readonly sample: MemorySample; readonly memory: MemoryRecord }) {
  const { sample, memory } = props;
  const tells = memory.source === 'allocator events';
  const word = (name: string, text: string | null): Fact | null => (tells ? { name, text: text ?? UNKNOWN } : null);
  return (
    <>
      <h2 class="details-title">{moment(sample.time_ps)}</h2>
      <p class="quiet">{memory.name}</p>
      <Facts
        facts={[
          bytesFact(l10n.t('in use'), usedBytes(sample)),
          sample.stack_bytes === null ? null : bytesFact(l10n.t('stack'), sample.stack_bytes),
          memory.kind === 'process' ? null : bytesFact(l10n.t('heap'), sample.heap_bytes),
          bytesFact(l10n.t('free'), sample.free_bytes),
          sample.fragmentation_ratio === null
            ? null
            : {
                name: l10n.t('fragmentation'),
                text: share(sample.fragmentation_ratio),
                exact: l10n.t('The part of what is free that is not in its largest piece'),
              },
          word(l10n.t('activity'), activityName(sample.activity)),
          tells ? bytesFact(l10n.t('requested'), sample.requested_bytes) : null,
          tells ? bytesFact(l10n.t('allocated'), sample.allocated_bytes) : null,
          word(l10n.t('op'), sample.op),
          sample.step === null && !tells ? null : { name: l10n.t('step'), text: sample.step ?? UNKNOWN },
          word(l10n.t('region'), sample.region),
          word(l10n.t('type'), sample.data_type),
          word(l10n.t('shape'), sample.shape),
        ]}
      />
    </>
  );
}

export function BreakdownDetails(props: { readonly row: MemoryBreakdownRow; readonly memory: MemoryRecord }) {
  const { row, memory } = props;
  const mark = basisMark(row);
  return (
    <>
      <h2 class="details-title">{opText(row)}</h2>
      <p class="quiet">{l10n.t('in use at the peak of {0}', memory.name)}</p>
      <p>
        <LineLink place={row} />
      </p>
      <Facts
        facts={[
          bytesFact(l10n.t('size'), row.bytes, mark),
          { name: l10n.t('of the peak'), text: share(row.bytes / Math.max(1, memory.peak_bytes)) },
          bytesFact(l10n.t('requested'), row.requested_bytes, mark),
          { name: l10n.t('count'), text: count(row.count) },
          { name: l10n.t('region'), text: row.region ?? UNKNOWN },
          { name: l10n.t('type'), text: row.data_type ?? UNKNOWN },
          { name: l10n.t('shape'), text: row.shape ?? UNKNOWN },
        ]}
      />
      <p class="quiet row-note">{basisMeaning(row.basis)}</p>
      <Ways selection={selectionOf(row)} />
    </>
  );
}

export function SnapshotDetails(props: { readonly row: MemorySnapshotRow; readonly whole_bytes: number }) {
  const { row } = props;
  return (
    <>
      <h2 class="details-title code">{row.function === '' ? row.kind : functionText(row.function)}</h2>
      <p>
        <LineLink place={row} />
      </p>
      <Facts
        facts={[
          bytesFact(l10n.t('size'), row.bytes),
          { name: l10n.t('of the snapshot'), text: share(row.bytes / Math.max(1, props.whole_bytes)) },
          { name: l10n.t('count'), text: count(row.count) },
          row.unknown_count === 0 ? null : { name: l10n.t('of unknown size'), text: count(row.unknown_count) },
          { name: l10n.t('kind'), text: row.kind },
          { name: l10n.t('device'), text: row.device === '' ? UNKNOWN : row.device },
        ]}
      />
      <Stack stack={row.stack} />
      <Ways selection={selectionOf(row)} />
    </>
  );
}

export function MemorySummary(props: { readonly memory: MemoryRecord }) {
  const { memory } = props;
  return (
    <>
      <h2 class="details-title">{memory.name}</h2>
      <p class="quiet">{kindName(memory.kind)}</p>
      <Facts
        facts={[
          bytesFact(l10n.t('peak'), memory.peak_bytes),
          { name: l10n.t('at'), text: moment(memory.peak_ps) },
          bytesFact(l10n.t('peak in the window'), memory.window_peak_bytes),
          bytesFact(l10n.t('peak since the process began'), memory.lifetime_peak_bytes),
          bytesFact(l10n.t('capacity'), memory.capacity_bytes),
          { name: l10n.t('samples'), text: count(memory.sample_count) },
        ]}
      />
      <p class="quiet row-note">{sourceText(memory.source)}</p>
    </>
  );
}
