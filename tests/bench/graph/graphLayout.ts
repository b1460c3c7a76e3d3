/**
 * How quick the layout of the graph is: `npm run --silent bench:graph-layout`. Lays out made programs as the page's worker
 * does. Prints one line of JSON: for each number of nodes the milliseconds of the first layout, before anything is
 * compiled, and of the later ones (median and 95th percentile).
 */
import { layoutOf } from '../../../extension/webview/panels/graph/layout/layout.js';
import { programLike } from '../../extension/panels/graph/layout/madeGraphs.js';

const LAYOUTS = 60;

interface Figures {
  readonly nodes: number;
  readonly edges: number;
  readonly first_ms: number;
  readonly median_ms: number;
  readonly p95_ms: number;
}

function measured(nodes: number): Figures {
  const requests = Array.from({ length: LAYOUTS }, (_, seed) => programLike(nodes, seed + 1));
  const times_ms = requests.map((request) => {
    const before_ms = performance.now();
    layoutOf(request);
    return performance.now() - before_ms;
  });
  const sorted = times_ms.toSorted((one, other) => one - other);
  const quantile = (ratio: number): number => rounded(sorted[Math.floor(ratio * (sorted.length - 1))] ?? 0);
  return {
    nodes,
    edges: requests[0]?.edges.length ?? 0,
    first_ms: rounded(times_ms[0] ?? 0),
    median_ms: quantile(0.5),
    p95_ms: quantile(0.95),
  };
}

function rounded(time_ms: number): number {
  return Math.round(time_ms * 100) / 100;
}

console.log(JSON.stringify([400, 100, 30].map(measured)));
