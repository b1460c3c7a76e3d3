import { Flame } from '../../../../extension/webview/panels/flame/flame';
import type { MadePage } from '../shared/madePage';
import { flameView } from './madeFlame';

export const page: MadePage = {
  scope: 'window',
  content: <Flame />,
  answer: ({ type }) => (type === 'request' ? flameView() : null),
};
