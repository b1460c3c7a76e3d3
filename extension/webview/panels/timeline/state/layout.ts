// Where sections and tracks are: from the arrangement to places in pixels, from the top of all rows down.

import type { SectionRecord, TrackRecord } from '../../../../src/protocol';
import type { ArrangedSection, ArrangedTrack } from './arrangement';
import { firstNotBefore } from '../../../shared/charts/ascending';
import type { PictureRow } from './state';

/** A row of boxes, with the gap below them. */
export const ROW_PX = 20;
export const ROW_GAP_PX = 2;
export const SECTION_PX = 28;
export const COUNTER_PX = 44;
/** Below each track. */
export const TRACK_GAP_PX = 4;

/** The head of a section; `section` is null for the group of pinned tracks. */
export interface SectionPlace {
  readonly kind: 'section';
  readonly section: SectionRecord | null;
  readonly collapsed: boolean;
  readonly top_px: number;
  readonly height_px: number;
}

export interface TrackPlace {
  readonly kind: 'track';
  readonly track: TrackRecord;
  readonly section: SectionRecord;
  readonly collapsed: boolean;
  readonly pinned: boolean;
  /** Rows that are shown, and that there are; the latter is a guess until the track was read. */
  readonly rows: number;
  readonly depths: number;
  readonly row_px: number;
  readonly top_px: number;
  readonly height_px: number;
}

export type Place = SectionPlace | TrackPlace;

/** Places from the top. The first `pinned_px` do not scroll; `height_px` is of all. */
export interface Layout {
  readonly places: readonly Place[];
  readonly tracks: ReadonlyMap<string, TrackPlace>;
  readonly pinned_px: number;
  readonly height_px: number;
}

export const NO_LAYOUT: Layout = { places: [], tracks: new Map(), pinned_px: 0, height_px: 0 };

/** Lays out sections; `depths` has the rows that tracks need by their ids, as far as windows have told. */
export function layOut(arranged: readonly ArrangedSection[], depths: ReadonlyMap<string, number>): Layout {
  const places: Place[] = [];
  const tracks = new Map<string, TrackPlace>();
  let [top_px, pinned_px] = [0, 0];
  for (const { section, collapsed, tracks: shown } of arranged) {
    places.push({ kind: 'section', section, collapsed, top_px, height_px: SECTION_PX });
    top_px += SECTION_PX;
    for (const each of shown) {
      const place = trackPlace(each, depths.get(each.track.id) ?? each.track.depths ?? 1, top_px);
      places.push(place);
      tracks.set(each.track.id, place);
      top_px += place.height_px;
    }
    if (section === null) {
      pinned_px = top_px;
    }
  }
  return { places, tracks, pinned_px, height_px: top_px };
}

function trackPlace(arranged: ArrangedTrack, depths: number, top_px: number): TrackPlace {
  const { track, section, collapsed, pinned, mostDepths } = arranged;
  const isCounter = track.kind === 'counter';
  const rows = isCounter ? 1 : Math.max(1, Math.min(depths, mostDepths));
  const row_px = isCounter && !collapsed ? COUNTER_PX : ROW_PX;
  const height_px = rows * row_px + TRACK_GAP_PX;
  return { kind: 'track', track, section, collapsed, pinned, rows, depths, row_px, top_px, height_px };
}

/** Where a place is in sight: `scroll_px` moves all but what is pinned. */
export function shownTop(layout: Layout, place: Place, scroll_px: number): number {
  return place.top_px < layout.pinned_px ? place.top_px : place.top_px - scroll_px;
}

/** How far one can scroll: until the last row is at the bottom. */
export function mostScroll(layout: Layout, shown_px: number): number {
  return Math.max(0, layout.height_px - shown_px);
}

/** The places that are at least partly between two heights on the screen. */
export function placesBetween(layout: Layout, scroll_px: number, from_px: number, to_px: number): readonly Place[] {
  return layout.places.filter((place) => {
    const isPinned = place.top_px < layout.pinned_px;
    const top_px = shownTop(layout, place, scroll_px);
    const first_px = isPinned ? from_px : Math.max(from_px, layout.pinned_px);
    return top_px < to_px && top_px + place.height_px > first_px;
  });
}

/** The rows of tracks in sight, from the top. */
export function rowsInSight(layout: Layout, scroll_px: number, shown_px: number): readonly PictureRow[] {
  return placesBetween(layout, scroll_px, 0, shown_px).flatMap((place) => {
    if (place.kind === 'section') {
      return [];
    }
    const top_px = shownTop(layout, place, scroll_px);
    const least_px = place.top_px < layout.pinned_px ? 0 : layout.pinned_px;
    return Array.from({ length: place.rows }, (_, depth) => ({
      track: place.track.id,
      depth,
      top_px: top_px + depth * place.row_px,
      height_px: place.row_px,
    })).filter((row) => row.top_px < shown_px && row.top_px + row.height_px > least_px);
  });
}

/** The row at a height on the screen; null on the head of a section, between tracks and below all. */
export function rowAt(layout: Layout, scroll_px: number, y_px: number): PictureRow | null {
  const at_px = y_px < layout.pinned_px ? y_px : y_px + scroll_px;
  const place = placeAt(layout, at_px);
  if (place === null || place.kind === 'section') {
    return null;
  }
  const depth = Math.floor((at_px - place.top_px) / place.row_px);
  return depth >= place.rows
    ? null
    : {
        track: place.track.id,
        depth,
        top_px: shownTop(layout, place, scroll_px) + depth * place.row_px,
        height_px: place.row_px,
      };
}

/** What is at a height from the top of all. */
export function placeAt({ places }: Layout, at_px: number): Place | null {
  const after = firstNotBefore(0, places.length, (at) => (places[at]?.top_px ?? Infinity) <= at_px);
  const place = places[after - 1];
  return place !== undefined && at_px < place.top_px + place.height_px ? place : null;
}

/** The scroll position nearest to the present one at which a row is in sight. */
export function scrollRevealing(
  layout: Layout,
  scroll_px: number,
  shown_px: number,
  row: { readonly track: string; readonly depth: number },
): number {
  const place = layout.tracks.get(row.track);
  if (place === undefined || place.top_px < layout.pinned_px) {
    return scroll_px;
  }
  const top_px = place.top_px + Math.min(row.depth, place.rows - 1) * place.row_px;
  const bottom_px = top_px + place.row_px + TRACK_GAP_PX;
  const least = bottom_px - shown_px;
  // Not under what is pinned, nor so close to it that the head of its section could not be seen as well.
  const most = top_px - layout.pinned_px - SECTION_PX;
  return Math.max(0, Math.min(mostScroll(layout, shown_px), Math.min(Math.max(scroll_px, least), Math.max(0, most))));
}

/**
 * The scroll position of another layout at which what is at the top of sight stays there: rows that turn out to be
 * higher do not move what a person looks at.
 */
export function scrollKeeping(before: Layout, after: Layout, scroll_px: number): number {
  const at_px = scroll_px + before.pinned_px;
  const top = placeAt(before, at_px);
  const same =
    top === null
      ? undefined
      : top.kind === 'track'
        ? after.tracks.get(top.track.id)
        : after.places.find((place) => place.kind === 'section' && place.section?.id === top.section?.id);
  return top === null || same === undefined || scroll_px === 0
    ? scroll_px
    : Math.max(0, scroll_px + (same.top_px - top.top_px) - (after.pinned_px - before.pinned_px));
}
