// A change as a bar on either side of a middle: to the right what there is more, to the left what there is less.

import type { Verdict } from '../../../src/protocol';
import { verdictClass } from './words';

export function ChangeBar(props: {
  readonly change: number;
  /** What the bar is full at. */
  readonly longest: number;
  readonly verdict: Verdict;
}) {
  const { change, longest, verdict } = props;
  const part = longest > 0 ? Math.min(1, Math.abs(change) / longest) : 0;
  const length = change === 0 ? '0px' : `max(1px, ${String(part * 50)}%)`;
  return (
    <span class="change-bar" aria-hidden="true">
      <span class={`${verdictClass(verdict)} ${change < 0 ? 'less' : 'more'}`} style={{ width: length }} />
    </span>
  );
}
