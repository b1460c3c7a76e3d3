import { Comparison } from '../../../../extension/webview/panels/comparison/comparison';
import type { MadePage } from '../shared/madePage';
import { comparisonView, sides } from './madeComparison';

export const page: MadePage = {
  content: <Comparison />,
  comparison: sides,
  answer: ({ type }) => (type === 'request' ? comparisonView() : null),
};
