import { Graph } from '../../../../extension/webview/panels/graph/graph';
import type { MadePage } from '../shared/madePage';
import { aGraph, graphView, opsGraph } from './madeGraph';

export const page: MadePage = {
  content: <Graph />,
  answer: (asked) => {
    if (asked.type !== 'request') {
      return null;
    }
    const { level } = asked.params as { readonly level?: string };
    return graphView(level === 'ops' ? opsGraph() : aGraph());
  },
};
