// What is in the selected span of time, by name.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { SelectedName, SelectionRecord } from '../../../../src/protocol';
import { useDetails } from '../../../shared/page/details';
import { Button, Icon } from '../../../shared/controls/elements';
import { Facts } from '../../../shared/frame/facts';
import { count, duration, exactDuration, share } from '../../../shared/text/format';
import { usePage } from '../../../shared/page/page';
import { Loading } from '../../../shared/page/states';
import type { Column } from '../../../shared/table/columns';
import { Table } from '../../../shared/table/table';
import { tableState } from '../../../shared/table/tableState';
import type { Timeline } from '../state/controller';
import type { SelectedSpan } from '../state/state';

export function SelectionDetails(props: { readonly timeline: Timeline; readonly span: SelectedSpan }) {
  const { span, timeline } = props;
  const { path } = usePage();
  const { value, failure, fetchAgain } = useDetails('timelineSelection', {
    tracks: span.tracks,
    start_ps: Math.floor(span.start_ps),
    end_ps: Math.ceil(span.end_ps),
    path,
  });
  if (failure !== null) {
    return (
      <div class="state" role="alert">
        <p class="reason">
          <Icon name="error" /> {failure}
        </p>
        <Button label={l10n.t('Try Again')} secondary onPress={fetchAgain} />
      </div>
    );
  }
  return (
    <div class="selection-details">
      <h2 class="details-title">{l10n.t('Selection')}</h2>
      <Facts
        facts={[
          { name: l10n.t('start'), text: duration(span.start_ps), exact: exactDuration(span.start_ps) },
          {
            name: l10n.t('length'),
            text: duration(span.end_ps - span.start_ps),
            exact: exactDuration(span.end_ps - span.start_ps),
          },
          { name: l10n.t('tracks'), text: count(span.tracks.length) },
          value === null ? null : { name: l10n.t('events'), text: count(value.count) },
          value === null
            ? null
            : { name: l10n.t('time of all'), text: duration(value.total_ps), exact: exactDuration(value.total_ps) },
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
        <p>{record.reason ?? l10n.t('No event is in it.')}</p>
        {record.remedy === null ? null : <p class="quiet">{record.remedy}</p>}
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
        search=""
        roots={record.rows}
        keyOf={nameOf}
        textOf={nameOf}
        onOpen={look}
        menuOf={(row) => [{ label: l10n.t('Highlight This Name'), keys: l10n.t('Enter'), run: () => void look(row) }]}
        nothingFound=""
      />
    </>
  );
}

const nameOf = (row: SelectedName): string => row.name;

export function selectionColumns(record: SelectionRecord): readonly Column<SelectedName>[] {
  const time = (
    id: string,
    title: string,
    meaning: string,
    value: (row: SelectedName) => number,
  ): Column<SelectedName> => ({
    id,
    title,
    meaning,
    width_px: 76,
    align: 'end',
    value,
    text: (row) => duration(value(row)),
    exact: (row) => exactDuration(value(row)),
    copied: { title: `${title} (ps)`, text: (row) => String(value(row)) },
  });
  return [
    {
      id: 'name',
      title: l10n.t('name'),
      width_px: 140,
      // With the next two it fits the narrowest details that stand beside a picture.
      least_px: 112,
      fills: 1,
      isCode: true,
      value: (row) => row.shown_name,
      text: (row) => row.shown_name,
      exact: (row) => [row.name, row.explanation ?? ''].filter((text) => text !== '').join('\n\n'),
    },
    time(
      'total',
      l10n.t('total'),
      l10n.t('Time of all events of the name, inside the selection'),
      (row) => row.total_ps,
    ),
    {
      id: 'share',
      title: l10n.t('share'),
      meaning: l10n.t('Part of the time of all selected events, {0}', duration(record.total_ps)),
      width_px: 72,
      align: 'end',
      value: (row) => row.share_ratio,
      text: (row) => share(row.share_ratio),
      copied: { title: l10n.t('share'), text: (row) => String(row.share_ratio) },
    },
    {
      id: 'count',
      title: l10n.t('count'),
      width_px: 60,
      align: 'end',
      value: (row) => row.count,
      text: (row) => count(row.count),
      copied: { title: l10n.t('count'), text: (row) => String(row.count) },
    },
    time('mean', l10n.t('mean'), l10n.t('Mean time of an event'), (row) => row.mean_ps),
    time('self', l10n.t('self'), l10n.t('Time without the events nested in them'), (row) => row.self_ps),
    time('least', l10n.t('least'), l10n.t('Time of the shortest event'), (row) => row.least_ps),
    time('greatest', l10n.t('greatest'), l10n.t('Time of the longest event'), (row) => row.greatest_ps),
  ];
}
