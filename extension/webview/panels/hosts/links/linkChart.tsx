// How long an op takes over each of its links, the chosen one marked.

import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import type { LinkRow } from '../../../../src/protocol';
import { Marks } from '../../../shared/charts/marks';
import { PointTable } from '../../../shared/charts/pointTable';
import { SeriesChart } from '../../../shared/charts/seriesChart';
import type { Series, SeriesAxes } from '../../../shared/charts/seriesOptions';
import type { Span } from '../../../shared/charts/span';
import { TableToggle } from '../../../shared/charts/tableToggle';
import { usePage } from '../../../shared/page/page';
import type { Column } from '../../../shared/table/columns';
import { greatest } from '../../../shared/table/greatest';
import { numberColumn, textColumn } from '../../../shared/table/kinds';
import { count, dotted, duration } from '../../../shared/text/format';
import { BYTE_RATE, COUNT, TIME } from '../../../shared/text/quantities';
import { Twin } from '../section';
import { linkKey, linkName, opsText } from '../words';

export function LinkChart(props: {
  readonly links: readonly LinkRow[];
  readonly chosen: LinkRow;
  readonly onChoose: (key: string) => void;
}) {
  const { links, chosen } = props;
  const { saved } = usePage();
  const asTable = saved.signal('linksAsTable', false);
  const [shown, setShown] = useState<Span | null>(null);
  const [read, setRead] = useState<number | null>(null);
  const beside = useMemo(() => besideLinks(links, chosen), [links, chosen]);
  const axes = useMemo<SeriesAxes>(
    () => ({
      x: {
        label: l10n.t('link'),
        values: beside.map((_, at) => at + 1),
        text: (value) => (Number.isInteger(value) ? count(value) : ''),
      },
      y: { greatest: greatest(beside, ({ latency_ps: time }) => time), text: duration, steps: 'decimal' },
    }),
    [beside],
  );
  const series = useMemo<readonly Series[]>(
    () => [
      {
        values: beside.map(({ latency_ps: time }) => time),
        hue: '--vscode-scopelight-phaseCommunication',
        kind: 'bars',
      },
    ],
    [beside],
  );
  const columns = useMemo(() => pointColumns(beside, chosen), [beside, chosen]);
  const title = l10n.t('Latency of the links of {0}', opsText(chosen));
  const at = beside.indexOf(chosen);
  const choose = (point: number): void => {
    const link = beside[point];
    if (link !== undefined) {
      props.onChoose(linkKey(link));
    }
  };
  return (
    <div class="link-chart" role="group" aria-label={title}>
      <div class="section-head">
        <h3>{title}</h3>
        <p class="readout" aria-live="polite">
          {readText(beside[read ?? at] ?? chosen)}
        </p>
        <TableToggle asTable={asTable} />
      </div>
      {asTable.value ? (
        <Twin rows={beside.length}>
          <PointTable name="besideLinks" label={title} columns={columns} points={beside.length} onPick={choose} />
        </Twin>
      ) : (
        <SeriesChart
          label={title}
          axes={axes}
          series={series}
          shown={shown}
          onShow={setShown}
          point={read}
          onRead={setRead}
          onPick={choose}
          onLeave={() => setRead(null)}
          over={(place) => <Marks place={place} marks={[{ kind: 'picked', at: at + 1, text: l10n.t('this link') }]} />}
        />
      )}
    </div>
  );
}

/** Those that have an op with the chosen one, the slowest first. */
export function besideLinks(links: readonly LinkRow[], chosen: LinkRow): readonly LinkRow[] {
  return links
    .filter(({ ops }) => ops.some((op) => chosen.ops.includes(op)))
    .sort((one, other) => other.latency_ps - one.latency_ps);
}

function readText(link: LinkRow): string {
  return dotted([
    linkName(link),
    duration(link.latency_ps),
    link.best_bytes_per_s === null ? null : l10n.t('best {0}', BYTE_RATE.text(link.best_bytes_per_s)),
  ]);
}

function pointColumns(links: readonly LinkRow[], chosen: LinkRow): readonly Column<number>[] {
  return [
    numberColumn<number>('number', l10n.t('Link'), COUNT, (at) => at + 1, { width_px: 80 }),
    textColumn<number>('name', l10n.t('From and to'), (at) => nameAt(links, at), {
      width_px: 240,
      least_px: 144,
      fills: 1,
    }),
    numberColumn<number>('latency', l10n.t('Latency'), TIME, (at) => links[at]?.latency_ps ?? null),
    numberColumn<number>('best', l10n.t('At best'), TIME, (at) => links[at]?.best_latency_ps ?? null),
    textColumn<number>('note', l10n.t('Note'), (at) => (links[at] === chosen ? l10n.t('this link') : ''), {
      width_px: 88,
    }),
  ];
}

function nameAt(links: readonly LinkRow[], at: number): string {
  const link = links[at];
  return link === undefined ? '' : linkName(link);
}
