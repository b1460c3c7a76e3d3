// Hosts by hand: four of two chips with two cores each, of which `host2` works longer, and a ring of links between them.

import type {
  ClockRow,
  CoreRow,
  HostRow,
  HostsRecord,
  HostsStep,
  Layout,
  LinkRow,
  MetCollective,
  ViewAnswer,
} from '../../../../extension/src/protocol';
import { opened } from '../../features/openedRun';
import { aFinding } from '../shared/madeFindings';

export const MS = 1e9;
const TRAIN = '/home/ada/train/train.py';
const place = (line: number) => ({ path: 'train.py', file: TRAIN, line });
const nowhere = { path: null, file: null, line: null };

export function aHost(host: string, values: Partial<HostRow> = {}): HostRow {
  return {
    host,
    devices: 4,
    offset_ps: 0,
    offset_error_ps: 0,
    applied_offset_ps: 0,
    cost_per_step_ps: 0.2 * MS,
    launched_late_per_step_ps: 0.15 * MS,
    worked_longer_per_step_ps: 0.05 * MS,
    wait_per_step_ps: 20 * MS,
    move_per_step_ps: 6 * MS,
    is_named: false,
    reason: null,
    ...nowhere,
    op: null,
    where: null,
    excess_per_step_ps: null,
    ...values,
  };
}

export const slow = aHost('host2', {
  cost_per_step_ps: 15.2 * MS,
  launched_late_per_step_ps: 0.1 * MS,
  worked_longer_per_step_ps: 15.1 * MS,
  wait_per_step_ps: 4 * MS,
  offset_ps: -0.24 * MS,
  offset_error_ps: 0.03 * MS,
  applied_offset_ps: -0.24 * MS,
  is_named: true,
  reason: 'worked-longer',
  ...place(54),
  op: 'jit(step)/while/body/mlp/dot_general',
  excess_per_step_ps: 16.8 * MS,
});

const hosts = [
  slow,
  aHost('host1', { cost_per_step_ps: 0.36 * MS, offset_ps: 0.4 * MS, offset_error_ps: 0.7 * MS }),
  aHost('host0'),
  aHost('host3', { cost_per_step_ps: 0.07 * MS }),
];

/** What a core did in a step of 66.5 ms, with so much of it in products. */
export function partsOf(products_ps: number): CoreRow['parts'] {
  return {
    'high-flops': products_ps,
    'low-flops': 8 * MS,
    'host-transfer': 1 * MS,
    send: 1.5 * MS,
    recv: 2.5 * MS,
    infeed: 0.5 * MS,
    outfeed: 0.5 * MS,
    'collective-move': 6 * MS,
    'collective-wait': 44 * MS - products_ps,
    idle: 2.5 * MS,
  };
}

function products(host: number, at: number): number {
  return (host === 2 ? 40 : 24) * MS + at * 0.25 * MS;
}

export const cores: readonly CoreRow[] = Array.from({ length: 16 }, (_, at) => {
  const host = Math.floor(at / 4);
  return {
    device: `/device:TPU:${String(at % 4)}`,
    host: `host${String(host)}`,
    ordinal: at % 4,
    id: at,
    chip: Math.floor(at / 2),
    core: at % 2,
    step_ps: 66.5 * MS,
    parts: partsOf(products(host, at)),
    cost_per_step_ps: host === 2 ? (8 + (at % 4)) * MS : 0.1 * MS,
    is_named: false,
  };
});

const steps: readonly HostsStep[] = [1, 2, 3].map((number) => ({
  number,
  start_ps: number * 66.5 * MS,
  duration_ps: 66.5 * MS,
  cores: cores.map((_, core) => ({
    core,
    duration_ps: 66.5 * MS,
    parts: partsOf(products(Math.floor(core / 4), core) + (number - 2) * MS),
  })),
}));

export const layouts: readonly Layout[] = [
  {
    kind: 'chips',
    columns: 4,
    rows: 2,
    planes: 1,
    slots: 2,
    x_name: 'x',
    y_name: 'y',
    z_name: 'z',
    is_recorded: true,
    cells: cores.map((_, core) => {
      const chip = Math.floor(core / 2);
      return { core, x: chip % 4, y: Math.floor(chip / 4), z: 0, slot: core % 2 };
    }),
  },
  {
    kind: 'hosts',
    columns: 4,
    rows: 4,
    planes: 1,
    slots: 1,
    x_name: 'device',
    y_name: 'host',
    z_name: '',
    is_recorded: false,
    cells: cores.map((_, core) => ({ core, x: core % 4, y: Math.floor(core / 4), z: 0, slot: 0 })),
  },
];

export const collectives: readonly MetCollective[] = [
  {
    name: 'all-reduce.3',
    op: 'jit(step)/while/body/loss/psum',
    kind: 'all-reduce',
    axes: ['data', 'model'],
    participants: 16,
    per_step: 1,
    bytes: 2 ** 20,
    wait_per_step_ps: 11.2 * MS,
    move_per_step_ps: 3.4 * MS,
    bytes_per_s: 40 * 2 ** 30,
    latest: 'host2',
    latest_ratio: 0.75,
    ...place(61),
  },
  {
    name: 'collective-permute.1',
    op: 'jit(step)/while/body/ring/ppermute',
    kind: 'collective-permute',
    axes: ['data'],
    participants: 16,
    per_step: 2,
    bytes: 8192,
    wait_per_step_ps: 2 * MS,
    move_per_step_ps: 1 * MS,
    bytes_per_s: null,
    latest: 'host1',
    latest_ratio: 0.4,
    ...place(66),
  },
];

export function aLink(from: number, to: number, values: Partial<LinkRow> = {}): LinkRow {
  return {
    source: `host${String(from)} /device:TPU:0`,
    destination: `host${String(to)} /device:TPU:0`,
    source_host: `host${String(from)}`,
    destination_host: `host${String(to)}`,
    kind: 'edge',
    ops: ['collective-permute.1'],
    names: ['jit(step)/while/body/ring/ppermute'],
    channels: [1],
    executions: 24,
    bytes: 8192,
    best_bytes_per_s: 34 * 2 ** 20,
    median_bytes_per_s: 12 * 2 ** 20,
    latency_ps: (0.3 + from / 20) * MS,
    best_latency_ps: 0.2 * MS,
    send_delay_ps: 0,
    slower_ratio: null,
    cost_per_step_ps: null,
    is_named: false,
    group: [],
    axes: ['data'],
    ...place(66),
    ...values,
  };
}

export const links: readonly LinkRow[] = [
  aLink(1, 2, { latency_ps: 2.1 * MS, slower_ratio: 6.2, cost_per_step_ps: 3.1 * MS, is_named: true, bytes: 65536 }),
  aLink(0, 1),
  aLink(2, 3),
  aLink(3, 0),
  aLink(0, 3, {
    kind: 'group',
    ops: ['all-reduce.3'],
    names: ['jit(step)/while/body/loss/psum'],
    group: [0, 1, 2, 3].map((host) => `host${String(host)} /device:TPU:0`),
    ...place(61),
  }),
];

const clocks: readonly ClockRow[] = [...hosts]
  .sort((one, other) => one.host.localeCompare(other.host))
  .map(({ host, offset_ps, offset_error_ps, applied_offset_ps }) => ({
    host,
    started_ns: null,
    offset_ps,
    offset_error_ps,
    applied_offset_ps,
    meetings: 60,
  }));

export function hostsRecord(values: Partial<HostsRecord> = {}): HostsRecord {
  return {
    predicted_for: null,
    predicted_devices: null,
    findings: [
      aFinding('advice', 'host2 costs 15.2 ms of 66.5 ms per step: it works longer, train.py:54.', {
        code: 'host-slow',
        remedy: 'See what it works on there that the others do not.',
      }),
      aFinding('advice', 'The link from host1 TPU:0 to host2 TPU:0 costs 3.10 ms of 66.5 ms per step.', {
        code: 'link-slow',
      }),
    ],
    format_version: 1,
    hosts,
    steps,
    step_ps: 66.5 * MS,
    step_count: 3,
    cores,
    layouts,
    collectives,
    executions: 96,
    instances: 12,
    complete_instances: 12,
    links,
    clocks,
    ...values,
  };
}

/** So many cores, a row of them for each host, of which nothing is compared. */
export function manyCores(count: number, perHost: number): HostsRecord {
  const names = Array.from({ length: Math.ceil(count / perHost) }, (_, at) => `host${String(at)}`);
  const many = Array.from({ length: count }, (_, at): CoreRow => ({
    device: `/device:TPU:${String(at % perHost)}`,
    host: names[Math.floor(at / perHost)] ?? '',
    ordinal: at % perHost,
    id: at,
    chip: null,
    core: null,
    step_ps: MS,
    parts: { 'high-flops': ((at % perHost) / perHost) * MS },
    cost_per_step_ps: null,
    is_named: false,
  }));
  return hostsRecord({
    findings: [],
    hosts: names.map((name) => aHost(name, { devices: perHost })),
    cores: many,
    steps: [{ number: 1, start_ps: 0, duration_ps: MS, cores: [] }],
    layouts: [
      {
        kind: 'hosts',
        columns: perHost,
        rows: names.length,
        planes: 1,
        slots: 1,
        x_name: 'device',
        y_name: 'host',
        z_name: '',
        is_recorded: false,
        cells: many.map((_, core) => ({ core, x: core % perHost, y: Math.floor(core / perHost), z: 0, slot: 0 })),
      },
    ],
    links: [],
    collectives: [],
  });
}

export function hostsView(values: Partial<HostsRecord> = {}): ViewAnswer<HostsRecord> {
  const record = hostsRecord(values);
  return {
    run: opened('/runs/a'),
    devices: record.cores.map(({ host, device }) => `${host} ${device}`),
    hosts: record.hosts.map(({ host }) => host),
    record,
  };
}
