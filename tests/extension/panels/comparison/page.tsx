import { Comparison } from '../../../../extension/webview/panels/comparison/comparison';
import type { MadePage } from '../shared/madePage';
import { comparisonRecord, comparisonView, sides } from './madeComparison';

/** What was judged by CPU time went the other way than the clock, and of one line FLOPs alone tell. */
const rows = comparisonRecord().rows.map((row) =>
  row.line === 13
    ? { ...row, verdict: 'worse' as const, judged_by: 'cpu-time' as const, judged_change_ratio: 0.18 }
    : row.line === 12
      ? { ...row, before_flops: 4e11, after_flops: 8e11 }
      : row,
);

export const page: MadePage = {
  content: <Comparison />,
  comparison: sides,
  answer: ({ type }) => (type === 'request' ? comparisonView({ rows }) : null),
};
