// Which sections and tracks are shown, and in which order.

import type { SectionRecord, TrackRecord } from '../../../../src/protocol';

export interface ArrangedTrack {
  readonly track: TrackRecord;
  readonly section: SectionRecord;
  readonly collapsed: boolean;
  readonly pinned: boolean;
  /** The most rows that it takes, of those that it has; may be infinite. */
  readonly mostDepths: number;
}

export interface ArrangedSection {
  /** `null` is the group of pinned tracks, which comes first and has no collapsed state. */
  readonly section: SectionRecord | null;
  readonly collapsed: boolean;
  /** None where it is collapsed. */
  readonly tracks: readonly ArrangedTrack[];
}

export interface Arrangement {
  readonly order: readonly string[];
  readonly pinned: readonly string[];
  readonly collapsed: readonly string[];
  readonly filter: string;
  readonly section: string | null;
  readonly levels: number;
}

/** The sections to show: the pinned tracks, then each section that has a track left by the filter. */
export function arrange(sections: readonly SectionRecord[], wished: Arrangement): readonly ArrangedSection[] {
  const collapsed = new Set(wished.collapsed);
  const pinned = new Set(wished.pinned);
  const words = wished.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const arranged = (section: SectionRecord, track: TrackRecord): ArrangedTrack => ({
    track,
    section,
    collapsed: collapsed.has(track.id),
    pinned: pinned.has(track.id),
    mostDepths: mostDepths(track, collapsed.has(track.id), wished.levels),
  });
  const isShown = (section: SectionRecord, track: TrackRecord): boolean => {
    const text = `${section.name}\n${track.name}`.toLowerCase();
    return words.every((word) => text.includes(word)) && !(track.kind === 'scopes' && wished.levels === 0);
  };
  const shownSections = inOrder(sections, wished.order).filter(
    ({ id }) =>
      wished.section === null || id === wished.section || !sections.some((each) => each.id === wished.section),
  );
  const result: ArrangedSection[] = [];
  const pinnedTracks = wished.pinned.flatMap((id) =>
    sections.flatMap((section) =>
      section.tracks.filter((track) => track.id === id).map((track) => arranged(section, track)),
    ),
  );
  if (pinnedTracks.length > 0) {
    result.push({ section: null, collapsed: false, tracks: pinnedTracks });
  }
  for (const section of shownSections) {
    const tracks = inOrder(section.tracks, wished.order).filter((track) => isShown(section, track));
    if (tracks.length === 0) {
      continue;
    }
    // A filter opens what it finds.
    const isCollapsed = collapsed.has(section.id) && words.length === 0;
    result.push({
      section,
      collapsed: isCollapsed,
      tracks: isCollapsed ? [] : tracks.filter(({ id }) => !pinned.has(id)).map((track) => arranged(section, track)),
    });
  }
  return result;
}

/** Moves a section or a track before its sibling above, or after the one below; returns the new order. */
export function moved(
  siblings: readonly { readonly id: string }[],
  order: readonly string[],
  id: string,
  by: -1 | 1,
): readonly string[] {
  const ids = inOrder(siblings, order).map((item) => item.id);
  const at = ids.indexOf(id);
  const other = ids[at + by];
  if (at === -1 || other === undefined) {
    return order;
  }
  ids[at + by] = id;
  ids[at] = other;
  return [...order.filter((each) => !ids.includes(each)), ...ids];
}

function inOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  order: readonly string[],
): readonly Item[] {
  if (order.length === 0) {
    return items;
  }
  const placeOf = new Map(order.map((id, place) => [id, place]));
  const place = ({ id }: Item): number => placeOf.get(id) ?? order.length;
  return [...items].sort((one, other) => place(one) - place(other));
}

function mostDepths(track: TrackRecord, collapsed: boolean, levels: number): number {
  if (collapsed) {
    return 1;
  }
  return track.kind === 'scopes' ? levels : Infinity;
}
