// What is in the selected span of time, by name.

import { sentences } from '../../../shared/findings/findings';
import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { SelectedName, SelectionRecord } from '../../../../src/protocol';
import { useDetails } from '../../../shared/page/details';
import { Facts, quantityFact } from '../../../shared/frame/facts';
import { count, duration } from '../../../shared/text/format';
import { COUNT, RATIO, TIME } from '../../../shared/text/quantities';
import { opColumn, searchedName } from '../../../shared/op/opName';
import { usePage } from '../../../shared/page/page';
import { Failed, Loading } from '../../../shared/page/states';
import type { Column } from '../../../shared/table/columns';
import { numberColumn } from '../../../shared/table/kinds';
import { Table } from '../../../shared/table/table';
import { tableState } from '../../../shared/table/tableState';
import type { Timeline } from '../state/controller';
import type { SelectedSpan } from '../state/state';
import { lengthOf, wholePicoseconds } from '../state/viewport';
import { namedEvent, wholeName } from '../state/eventName';

export function SelectionDetails(props: { readonly timeline: Timeline; readonly span: SelectedSpan }) {
  const { span, timeline } = props;
  const { path } = usePage();
  const { value, failure, fetchAgain } = useDetails('timelineSelection', {
    ...wholePicoseconds(span),
    tracks: span.tracks,
    path,
  });
  if (failure !== null) {
    return <Failed sentence={failure} onTryAgain={fetchAgain} />;
  }
  return (
    <div class="selection-details">
      <h2 class="details-title">{l10n.t('Selection')}</h2>
      <Facts
        facts={[
          quantityFact(l10n.t('start'), TIME, span.start_ps),
          quantityFact(l10n.t('length'), TIME, lengthOf(span)),
          quantityFact(l10n.t('tracks'), COUNT, span.tracks.length),
          value === null ? null : quantityFact(l10n.t('events'), COUNT, value.count),
          value === null ? null : quantityFact(l10n.t('time of all'), TIME, value.total_ps),
        ]}
      />
      {value === null ? (
        <Loading what={l10n.t('Counting the events…')} progress={null} />
      ) : (
        <Names record={value} timeline={timeline} />
      )}
    </div>
  );
}

function Names(props: { readonly record: SelectionRecord; readonly timeline: Timeline }) {
  const { record, timeline } = props;
  const { saved } = usePage();
  const state = tableState(saved, 'selection', { column: 'total', descending: true });
  const columns = useMemo(() => selectionColumns(record), [record]);
  if (record.rows.length === 0) {
    return (
      <>
        {record.findings.map(({ code, text, remedy }) => (
          <div key={code}>
            <p>{text}</p>
            <p class="quiet">{remedy}</p>
          </div>
        ))}
      </>
    );
  }
  const look = (row: SelectedName): boolean => {
    timeline.searching.type({ text: row.shown_name, regex: false, arguments: false });
    return true;
  };
  return (
    <>
      {record.names > record.rows.length ? (
        <p class="quiet">{l10n.t('The {0} longest of {1} names', count(record.rows.length), count(record.names))}</p>
      ) : null}
      <Table
        label={l10n.t('Selected events by name')}
        columns={columns}
        state={state}
        roots={record.rows}
        keyOf={(row) => row.name}
        textOf={(row) => `${row.name}\n${searchedName(namedEvent(row))}`}
        onOpen={look}
        menuOf={(row) => [{ label: l10n.t('Highlight This Name'), keys: l10n.t('Enter'), run: () => void look(row) }]}
      />
    </>
  );
}

export function selectionColumns({ total_ps }: SelectionRecord): readonly Column<SelectedName>[] {
  const time = (id: string, title: string, meaning: string, value: (row: SelectedName) => number) =>
    numberColumn(id, title, TIME, value, { meaning, width_px: 76, least_px: 76 });
  return [
    {
      ...opColumn<SelectedName>(namedEvent, {
        width_px: 140,
        // With the next two it fits the narrowest details that stand beside a picture.
        least_px: 112,
        fills: 1,
        exact: (row) => [wholeName(row, row.name), ...sentences(row.findings)].join('\n\n'),
      }),
      title: l10n.t('name'),
    },
    time(
      'total',
      l10n.t('total'),
      l10n.t('Time of all events of the name, inside the selection'),
      (row) => row.total_ps,
    ),
    numberColumn('share', l10n.t('share'), RATIO, (row) => row.share_ratio, {
      meaning: l10n.t('Part of the time of all selected events, {0}', duration(total_ps)),
      width_px: 72,
      least_px: 72,
    }),
    numberColumn('count', l10n.t('count'), COUNT, (row) => row.count, { width_px: 60, least_px: 60 }),
    time('mean', l10n.t('mean'), l10n.t('Mean time of an event'), (row) => row.mean_ps),
    time('self', l10n.t('self'), l10n.t('Time without the events nested in them'), (row) => row.self_ps),
    time('least', l10n.t('least'), l10n.t('Time of the shortest event'), (row) => row.least_ps),
    time('greatest', l10n.t('greatest'), l10n.t('Time of the longest event'), (row) => row.greatest_ps),
  ];
}
