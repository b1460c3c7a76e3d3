import { Query } from '../../../../extension/webview/panels/query/query';
import type { MadePage } from '../shared/madePage';
import { lines, outcome, queryView } from './madeQueries';

export const page: MadePage = {
  content: <Query />,
  answer: ({ type }) => (type === 'request' ? queryView() : outcome(lines)),
};
