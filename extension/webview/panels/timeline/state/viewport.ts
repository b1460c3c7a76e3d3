// Between time and pixels. Times are in picoseconds from the profile's first event; pixels are CSS pixels from the left
// of the drawn area. Times fit a double exactly, so a place in a day-long profile is as exact as in a short one.

/** A span of time, in picoseconds from the profile's first event. */
export interface Span {
  readonly start_ps: number;
  readonly end_ps: number;
}

/** The least that is ever shown: at a nanosecond, a picosecond is more than a pixel wide. */
export const LEAST_SPAN_PS = 1000;

/** Of the view on each side of what it was fitted to. */
const MARGIN_RATIO = 0.1;

/** The span of what lasts, such as an event. */
export function spanFrom(event: { readonly start_ps: number; readonly duration_ps: number }): Span {
  return { start_ps: event.start_ps, end_ps: event.start_ps + event.duration_ps };
}

/** The span in whole picoseconds, as the daemon takes it. */
export function wholePicoseconds({ start_ps, end_ps }: Span): Span {
  return { start_ps: Math.floor(start_ps), end_ps: Math.ceil(end_ps) };
}

export function middleOf({ start_ps, end_ps }: Span): number {
  return (start_ps + end_ps) / 2;
}

export function lengthOf({ start_ps, end_ps }: Span): number {
  return end_ps - start_ps;
}

/** Where a time is; outside of the width where it is out of sight. */
export function xOf(view: Span, width_px: number, at_ps: number): number {
  return ((at_ps - view.start_ps) / lengthOf(view)) * width_px;
}

export function timeAt(view: Span, width_px: number, x_px: number): number {
  return view.start_ps + (x_px / width_px) * lengthOf(view);
}

/** How much time a pixel stands for. */
export function timePerPixel(view: Span, width_px: number): number {
  return lengthOf(view) / width_px;
}

/** A view of a length that is allowed, moved into the profile. */
export function inside(view: Span, duration_ps: number): Span {
  const whole_ps = Math.max(LEAST_SPAN_PS, duration_ps);
  const length_ps = Math.min(whole_ps, Math.max(LEAST_SPAN_PS, lengthOf(view)));
  const isAllowed = length_ps === lengthOf(view);
  const start_ps = isAllowed ? view.start_ps : middleOf(view) - length_ps / 2;
  const moved_ps = Math.max(0, Math.min(start_ps, whole_ps - length_ps));
  return { start_ps: moved_ps, end_ps: moved_ps + length_ps };
}

/** All of the profile. */
export function whole(duration_ps: number): Span {
  return inside({ start_ps: 0, end_ps: duration_ps }, duration_ps);
}

/** The view that is `factor` times as long; `at_ps` stays where it is, as far as the profile's ends allow. */
export function zoomed(view: Span, factor: number, at_ps: number, duration_ps: number): Span {
  const whole_ps = Math.max(LEAST_SPAN_PS, duration_ps);
  const length_ps = Math.min(whole_ps, Math.max(LEAST_SPAN_PS, lengthOf(view) * factor));
  const ratio = (at_ps - view.start_ps) / lengthOf(view);
  const start_ps = at_ps - ratio * length_ps;
  return inside({ start_ps, end_ps: start_ps + length_ps }, duration_ps);
}

/** The view, moved; it keeps its length. */
export function panned(view: Span, by_ps: number, duration_ps: number): Span {
  return inside({ start_ps: view.start_ps + by_ps, end_ps: view.end_ps + by_ps }, duration_ps);
}

/** A view that shows all of a span and a little around it. */
export function framing(span: Span, duration_ps: number): Span {
  const margin_ps = Math.max(lengthOf(span), LEAST_SPAN_PS / 2) * MARGIN_RATIO;
  return inside({ start_ps: span.start_ps - margin_ps, end_ps: span.end_ps + margin_ps }, duration_ps);
}

/** The view, moved as little as possible so that a span, or at least its start, is in sight and not at the edge. */
export function revealing(view: Span, span: Span, duration_ps: number): Span {
  const margin_ps = lengthOf(view) * MARGIN_RATIO;
  const from_ps = span.start_ps - margin_ps;
  const to_ps = span.end_ps + margin_ps;
  if (to_ps - from_ps > lengthOf(view)) {
    // It does not fit. Where its start or its inside is seen already, there is nothing to move for.
    const isSeen = span.start_ps <= view.end_ps - margin_ps && span.end_ps >= view.start_ps + margin_ps;
    return isSeen ? view : panned(view, from_ps - view.start_ps, duration_ps);
  }
  if (from_ps < view.start_ps) {
    return panned(view, from_ps - view.start_ps, duration_ps);
  }
  return to_ps > view.end_ps ? panned(view, to_ps - view.end_ps, duration_ps) : view;
}

/** A gap that takes up less of the view, or more, is zoomed to. */
const LEAST_OF_VIEW_RATIO = 0.2;
const MOST_OF_VIEW_RATIO = 0.6;
/** What is zoomed to takes up so much. */
const ZOOMED_RATIO = 0.4;

/** The view with a span in its middle and what is around it; zoomed where it would be too small, or too large. */
export function centredOn(view: Span, span: Span, duration_ps: number): Span {
  const ratio = lengthOf(span) / lengthOf(view);
  const isSensible = ratio >= LEAST_OF_VIEW_RATIO && ratio <= MOST_OF_VIEW_RATIO;
  const half_ps = (isSensible ? lengthOf(view) : lengthOf(span) / ZOOMED_RATIO) / 2;
  return inside({ start_ps: middleOf(span) - half_ps, end_ps: middleOf(span) + half_ps }, duration_ps);
}

export function contains(outer: Span, inner: Span): boolean {
  return outer.start_ps <= inner.start_ps && inner.end_ps <= outer.end_ps;
}
