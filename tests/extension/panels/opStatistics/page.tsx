import { OpStatistics } from '../../../../extension/webview/panels/opStatistics/opStatistics';
import { opsView } from '../shared/madeOps';
import type { MadePage } from '../shared/madePage';

export const page: MadePage = {
  scope: 'window',
  content: <OpStatistics />,
  answer: ({ type }) => (type === 'request' ? opsView() : null),
};
