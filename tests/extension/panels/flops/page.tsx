import { Flops } from '../../../../extension/webview/panels/flops/flops';
import type { MadePage } from '../shared/madePage';
import { flopsView } from './madeFlops';

export const page: MadePage = {
  content: <Flops />,
  answer: ({ type }) => (type === 'request' ? flopsView() : null),
};
