// A timeline that is open in a page, and what a pointer says of where it is.

import type { Page } from '../../../../extension/webview/shared/page/page';
import { Timeline } from '../../../../extension/webview/panels/timeline/state/controller';
import { FakeHost } from '../shared/fakePage';
import { aPicture, aTimeline } from './aTimeline';

const US = 1_000_000;
export const whole = { start_ps: 0, end_ps: 1000 * US };

export function openTimeline(path: string | null = null) {
  const host = new FakeHost();
  const page: Page = host.page('timeline', path);
  const timeline = new Timeline(page);
  timeline.state.show(aTimeline(), { path: '/runs/a', contents: 'a' });
  timeline.state.size.value = { width_px: 1000, height_px: 100 };
  timeline.state.picture.value = aPicture();
  const asked = (details: string) =>
    host.sent.filter((message) => message.type === 'details' && message.details === details);
  return { host, timeline, state: timeline.state, asked };
}

export const at = (x_px: number, y_px = 10, more = {}) => ({ x_px, y_px, isFree: false, isOpposite: false, ...more });
