import { HotLines } from '../../../../extension/webview/panels/hotLines/hotLines';
import type { MadePage } from '../shared/madePage';
import { aView } from './madeLines';

export const page: MadePage = {
  content: <HotLines />,
  answer: ({ type }) => (type === 'request' ? aView() : null),
};
