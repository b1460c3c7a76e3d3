// The panel Hosts.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { HostsRecord, LinkRow, ViewAnswer } from '../../../src/protocol';
import { Findings } from '../../shared/findings/findings';
import { Frame } from '../../shared/frame/frame';
import { useStatusLine } from '../../shared/frame/status';
import { useSharedSelection } from '../../shared/page/followSelection';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { greatest } from '../../shared/table/greatest';
import { tableState } from '../../shared/table/tableState';
import type { DrawnLink } from './map/arrow';
import { Breakdown } from './breakdown';
import { useChoices } from './choices';
import { Clocks } from './clocks';
import { collectiveKey, Collectives } from './collectives';
import { Cores } from './cores';
import { ItemCard, MeaningCard } from './details';
import { Headline } from './headline';
import './hosts.css';
import type { CoreItem } from './items';
import { Links } from './links/links';
import { panel } from './panel';
import { Ranking } from './ranking';
import { statusParts } from './status';
import { linkKey } from './words';

export function Hosts() {
  return <RecordView panel={panel} params={{}} show={(view) => <HostsOfRun view={view} />} />;
}

function HostsOfRun({ view: { record, run } }: { readonly view: ViewAnswer<HostsRecord> }) {
  const { saved, host } = usePage();
  const choices = useChoices(record);
  /** The core that is looked at; by another grouping it is the chip or the host that has it. */
  const [core, setCore] = useState<number | null>(null);
  const link = saved.signal<string | null>('link', null);
  useEffect(() => setCore(null), [record]);
  const ranking = tableState(saved, 'ranking', { column: 'cost', descending: true });
  const collectives = tableState(saved, 'collectives', { column: 'waits', descending: true });
  const hasSlow = record.links.some(({ is_named: isNamed }) => isNamed);
  const links = tableState(saved, 'links', { column: hasSlow ? 'cost' : 'latency', descending: true });
  const clocks = tableState(saved, 'clocks', { column: 'host', descending: false });
  const selected = core === null ? null : (choices.items.find(({ cores }) => cores.includes(core)) ?? null);
  const chosen = record.links.find((each) => linkKey(each) === link.value) ?? null;
  const drawn = useMemo(() => (chosen === null ? null : drawnLink(record, chosen)), [record, chosen]);
  useSharedSelection('hosts', ({ file, line }) => {
    const isThere = (row: { readonly file: string | null; readonly line: number | null }): boolean =>
      line !== null && row.file === file && row.line === line;
    const named = record.hosts.find(isThere);
    if (named !== undefined) {
      ranking.selected.value = named.host;
    }
    const met = record.collectives.filter(isThere);
    const [first] = met;
    if (first !== undefined && !met.some((row) => collectiveKey(row) === collectives.selected.value)) {
      collectives.selected.value = collectiveKey(first);
    }
  });
  const select = (item: CoreItem): void => setCore(item.cores[0] ?? null);
  const open = (item: CoreItem): void => {
    const row = record.hosts.find((each) => each.host === item.host);
    if (row !== undefined) {
      host.goToLineOf(row);
    }
  };
  const step = choices.step === null ? null : (record.steps[choices.step] ?? null);
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      isChosen={selected !== null}
      onLetGo={() => setCore(null)}
      details={
        selected === null ? <MeaningCard record={record} /> : <ItemCard record={record} item={selected} step={step} />
      }
      status={useStatusLine(statusParts(record))}
    >
      <div class="hosts" tabIndex={-1}>
        <Headline record={record} />
        <Findings findings={record.findings} />
        <Ranking record={record} state={ranking} />
        <Cores record={record} choices={choices} selected={selected} link={drawn} onSelect={select} onOpen={open} />
        <Breakdown record={record} items={choices.items} selected={selected} onSelect={select} />
        <Collectives record={record} state={collectives} />
        <Links record={record} state={links} chosen={chosen} onChoose={(key) => (link.value = key)} />
        <Clocks record={record} state={clocks} />
      </div>
    </Frame>
  );
}

/** Where a link is on the map; devices are named with their host where there are several. */
function drawnLink({ cores, links }: HostsRecord, { kind, source, destination, group, bytes }: LinkRow): DrawnLink {
  const positions = new Map(
    cores.flatMap(({ host, device }, at) => [
      [device, at],
      [`${host} ${device}`, at],
    ]),
  );
  const names = kind === 'group' ? group : [source, destination];
  return {
    cores: names.flatMap((name) => positions.get(name) ?? []),
    isDirected: kind === 'edge',
    bytes_ratio: (bytes ?? 0) / greatest(links, (each) => each.bytes, 1),
  };
}
