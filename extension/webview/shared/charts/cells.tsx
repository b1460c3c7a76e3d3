// Small drawings that stand in cells and heads, each beside the number that it draws.

import type { CoreRow, LinesRecord, StallRecord } from '../../../src/protocol';
import type { Phase } from '../theme';

/** A ratio as the filled part of a bar; of what waits it is rings in a row. */
export function Meter(props: { readonly ratio: number; readonly isWaiting?: boolean }) {
  const kind = props.isWaiting === true ? 'meter waiting' : 'meter';
  return <span class={kind} style={{ '--fill': fillOf(props.ratio) }} aria-hidden="true" />;
}

/** How far a bar is filled; what is greater than nothing is seen. */
export function fillOf(ratio: number): string {
  return ratio > 0 ? `max(1px, ${String(Math.min(1, ratio) * 100)}%)` : '0%';
}

export type Grade = 'low' | 'middle' | 'high';

/** How well a device is used at a share of its peak. */
export function gradeOf(utilisation_ratio: number): Grade {
  return utilisation_ratio < 0.25 ? 'low' : utilisation_ratio < 0.6 ? 'middle' : 'high';
}

/** Why devices were idle: each class has a hue of its own beside that of idle time. */
export type WaitingHue = `waiting-${WaitingClass}`;
export type WaitingClass = keyof LinesRecord['idle_classes'];

/** What a core did in a step. */
export type CoreHue = `core-${keyof CoreRow['parts']}`;

export interface Part {
  /** A phase, or what else has its fixed hue; each has its pattern too. */
  readonly hue: Phase | 'busy' | StallRecord['cause'] | WaitingHue | CoreHue;
  readonly share_ratio: number;
}

/** Parts of a whole, side by side in one bar. Shares may sum to less than one. */
export function StackedBar(props: { readonly parts: readonly Part[] }) {
  return (
    <span class="stacked-bar" aria-hidden="true">
      {props.parts.map(({ hue, share_ratio }) =>
        share_ratio > 0 ? <span key={hue} class={`hue ${hue}`} style={{ flexGrow: share_ratio }} /> : null,
      )}
    </span>
  );
}

/** The swatch that stands before a part's name where the parts are listed. */
export function Swatch(props: { readonly hue: Part['hue'] }) {
  return <span class={`swatch hue ${props.hue}`} aria-hidden="true" />;
}
