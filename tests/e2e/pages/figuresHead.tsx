// The figures at the head of panels, as many as the address asks for, in texts of the length that is asked for.

import { render } from 'preact';
import { type Figure, Figures } from '../../../extension/webview/shared/frame/figures';
import '../../../extension/webview/shared/theme.css';
import '../../../extension/webview/shared/charts/chartAbove.css';

const usual: readonly Figure[] = [
  { name: 'FLOPs per step', text: '412 GFLOP', of: 'all devices', exact: '' },
  { name: 'Rate over wall clock', text: '12.7 TFLOP/s', of: 'each device, over 162 ms, 5 steps', exact: '' },
  { name: 'MFU', text: '38.2 %', of: 'of 33.2 TFLOP/s', exact: '' },
  { name: 'Padding waste', text: '4.1 %', of: 'of 430 GFLOP', exact: '' },
  { name: 'Waits for input', text: '60.0 %', of: 'of the steps: highly input-bound', exact: '' },
  { name: 'Queue empty', text: '14 of 16', of: 'gets: making the data is slow', exact: '' },
  { name: 'Met an idle device', text: '17 of 18', of: 'launches', exact: '' },
  { name: 'Slow', text: 'Map(Decode)', of: 'holds the others up', exact: '' },
  { name: 'Recompute', text: '–', of: 'of no op known', exact: '' },
];

const wishes = new URLSearchParams(window.location.search);
const count = Number(wishes.get('count'));
const isLong = wishes.has('long');
const figures = usual
  .slice(0, count)
  .map((figure) => (isLong ? { ...figure, of: `${figure.of}, ${figure.of}, as the profile states it` } : figure));
const page = document.getElementById('page');
if (page !== null) {
  render(<Figures label="Figures" figures={figures} />, page);
}
