import { Resources } from '../../../../extension/webview/panels/resources/resources';
import { aFinding } from '../shared/madeFindings';
import type { MadePage } from '../shared/madePage';
import { resourcesView } from './madeResources';

const view = resourcesView({
  findings: [
    aFinding('advice', 'User code took 42.0 % of all cores and 1.4 cores were idle.', {
      remedy: 'Give the loader more workers.',
    }),
  ],
});

export const page: MadePage = { content: <Resources />, answer: () => view };
