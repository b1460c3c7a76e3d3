// The drawing of the timeline alone in a page, over a made-up run: for the bench, and to look at.

import { render } from 'preact';
import type { TimelineState as State } from '../../../extension/webview/panels/timeline/state/state';
import type { HostApi } from '../../../extension/webview/shared/page/rpc';
import { SavedState } from '../../../extension/webview/shared/page/state';
import '../../../extension/webview/shared/theme.css';
import '../../../extension/webview/shared/hues.css';
import { Minimap } from '../../../extension/webview/panels/timeline/tracks/minimap';
import type { PictureHost } from '../../../extension/webview/panels/timeline/drawing/picture';
import { TimelineState } from '../../../extension/webview/panels/timeline/state/state';
import { StepRuler } from '../../../extension/webview/panels/timeline/tracks/stepRuler';
import { TracksCanvas } from '../../../extension/webview/panels/timeline/tracks/tracksCanvas';
import { aDenseRun, aTraining } from '../../extension/panels/timeline/madeTimeline';

declare global {
  interface Window {
    timeline: State;
  }
}

const options = new URLSearchParams(location.search);
const number = (name: string): Record<string, number> =>
  options.has(name) ? { [name]: Number(options.get(name)) } : {};
if (options.get('emulated') === 'yes') {
  // A product that is asked for a graphics card takes no emulation of one; here that is all there is.
  const { getContext } = HTMLCanvasElement.prototype as {
    getContext: (this: HTMLCanvasElement, kind: string, options?: object) => unknown;
  };
  Object.assign(HTMLCanvasElement.prototype, {
    getContext(this: HTMLCanvasElement, kind: string, wanted?: object) {
      return getContext.call(this, kind, { ...wanted, failIfMajorPerformanceCaveat: false });
    },
  });
}
const made = options.has('boxes')
  ? aDenseRun(Number(options.get('boxes')))
  : aTraining({ ...number('steps'), ...number('devices'), ...number('ops') });
const saved: Pick<HostApi, 'getState' | 'setState'> = { getState: () => undefined, setState: (state) => state };
const state = new TimelineState(new SavedState(saved, 'timeline'), null);

/** As windows are made up on this page's own thread, they come less often than from a daemon. */
const AWAY_MS = options.has('boxes') ? 400 : 5;

function later<Answer>(answer: () => Answer): Promise<Answer> {
  return new Promise((resolve) => setTimeout(() => resolve(answer()), AWAY_MS));
}

const host: PictureHost = {
  window: (request) => later(() => made.window({ ...request, matches: request.matcher?.text ?? null })),
  names: (ids) => later(() => made.namesOf(ids)),
};
state.show(made.record, null);
window.timeline = state;
const page = document.getElementById('page');
if (page !== null) {
  render(
    <div class="frame">
      <Minimap state={state} />
      <StepRuler state={state} />
      <TracksCanvas state={state} host={host} onTrackMenu={() => undefined} />
    </div>,
    page,
  );
}
