// What the worker runs: a layout for each request, with the number that it was asked under.

import { layoutOf } from './layout';
import type { Layout, LayoutRequest } from './request';

export interface Asked {
  readonly number: number;
  readonly request: LayoutRequest;
}

export interface Answered {
  readonly number: number;
  readonly layout: Layout;
}

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  self.postMessage({ number: data.number, layout: layoutOf(data.request) } satisfies Answered);
});
