import { Roofline } from '../../../../extension/webview/panels/roofline/roofline';
import type { MadePage } from '../shared/madePage';
import { rooflineView } from './madeRoofline';

export const page: MadePage = {
  scope: 'window',
  content: <Roofline />,
  answer: ({ type }) => (type === 'request' ? rooflineView() : null),
};
