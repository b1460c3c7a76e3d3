// Op Statistics with more types of ops than a pie has slices, shown as the address asks for.

import { OpStatistics } from '../../../extension/webview/panels/opStatistics/opStatistics';
import { anOpRow, opsView } from '../../extension/panels/shared/madeOps';
import { showPanel } from './panelPage';

const TYPES = [
  'convolution fusion',
  'loop fusion',
  'custom-call',
  'data formatting',
  'all-reduce',
  'non-fusion elementwise',
  'reduce-window',
  'copy-start',
  'infeed',
  'sort',
  'rng-bit-generator',
];

const rows = TYPES.map((category, at) =>
  anOpRow({ key: category, name: `op.${String(at)}`, category, self_ps: Math.round(1e9 * 0.62 ** at) }),
);
const types = new URLSearchParams(window.location.search).get('types');
sessionStorage.setItem('saved', JSON.stringify({ panel: 'opStatistics', values: types === null ? {} : { types } }));
showPanel('opStatistics', {
  scope: 'window',
  content: <OpStatistics />,
  answer: ({ type }) =>
    type === 'request' ? opsView({ rows, op_time_ps: rows.reduce((sum, { self_ps }) => sum + self_ps, 0) }) : null,
});
