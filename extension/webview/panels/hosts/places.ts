// Where cores are drawn: cells of a layout, cores of one chip side by side in theirs, hosts alone where cores are too many.

import type { HostsRecord, Layout } from '../../../src/protocol';
import type { CoreItem, Grouping } from './items';

/** Of more cells one is drawn for each host. */
export const MOST_CELLS = 4096;

export interface CoreCell {
  readonly item: CoreItem;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Which of the cell's items it is, and of how many. */
  readonly part: number;
  readonly of: number;
}

export interface CoreGrid {
  readonly columns: number;
  readonly rows: number;
  readonly planes: number;
  readonly cells: readonly CoreCell[];
  readonly isOfHosts: boolean;
  /** What rows and columns are called at their edges: by name where they have one, else by number. */
  readonly rowNames: readonly string[];
}

export function areTooMany({ cores }: HostsRecord): boolean {
  return cores.length > MOST_CELLS;
}

/** The grouping that is drawn: of too many cores it is by host, whatever was asked for. */
export function drawnGrouping(record: HostsRecord, wished: Grouping): Grouping {
  return areTooMany(record) ? 'host' : wished;
}

export function gridOf(record: HostsRecord, layout: Layout, items: readonly CoreItem[]): CoreGrid {
  return areTooMany(record) ? gridOfHosts(items) : gridOfCores(record, layout, items);
}

function gridOfHosts(items: readonly CoreItem[]): CoreGrid {
  const columns = Math.max(1, Math.ceil(Math.sqrt(items.length)));
  const cells = items.map((item, at) => ({
    item,
    x: at % columns,
    y: Math.floor(at / columns),
    z: 0,
    part: 0,
    of: 1,
  }));
  const rows = Math.ceil(items.length / columns);
  return { columns, rows, planes: 1, cells, isOfHosts: true, rowNames: [] };
}

function gridOfCores(record: HostsRecord, layout: Layout, items: readonly CoreItem[]): CoreGrid {
  const itemOf = new Map(items.flatMap((item) => item.cores.map((core) => [core, item] as const)));
  /** The items at a place, by their slots; an item is there once. */
  const places = new Map<string, { readonly at: Layout['cells'][number]; readonly items: Set<CoreItem> }>();
  const rowNames: string[] = [];
  for (const at of [...layout.cells].sort((one, other) => one.slot - other.slot)) {
    const item = itemOf.get(at.core);
    if (item === undefined) {
      continue;
    }
    const key = placeKey(at);
    const place = places.get(key) ?? { at, items: new Set<CoreItem>() };
    place.items.add(item);
    places.set(key, place);
    if (layout.kind === 'hosts') {
      rowNames[at.y] ??= record.cores[at.core]?.host ?? '';
    }
  }
  const cells = [...places.values()].flatMap(({ at: { x, y, z }, items: there }) =>
    [...there].map((item, part): CoreCell => ({ item, x, y, z, part, of: there.size })),
  );
  cells.sort((one, other) => one.z - other.z || one.y - other.y || one.x - other.x || one.part - other.part);
  const { columns, rows, planes } = layout;
  return { columns, rows, planes, cells, isOfHosts: false, rowNames };
}

export function placeKey({ x, y, z }: { readonly x: number; readonly y: number; readonly z: number }): string {
  return `${String(x)} ${String(y)} ${String(z)}`;
}

/** The cells that are not of the host of their neighbour, by side: there host tiles have their outline. */
export function hostBorders({ cells }: CoreGrid): readonly {
  readonly cell: CoreCell;
  readonly sides: readonly [left: boolean, top: boolean, right: boolean, bottom: boolean];
}[] {
  const hosts = new Map(cells.map((cell) => [placeKey(cell), cell.item.host]));
  return cells.map((cell) => {
    const { x, y, z, part, of, item } = cell;
    const differs = (dx: number, dy: number): boolean => hosts.get(placeKey({ x: x + dx, y: y + dy, z })) !== item.host;
    return {
      cell,
      sides: [part === 0 && differs(-1, 0), differs(0, -1), part === of - 1 && differs(1, 0), differs(0, 1)],
    };
  });
}
