import { OpProfile } from '../../../../extension/webview/panels/opProfile/opProfile';
import { profileView } from '../shared/madeOps';
import type { MadePage } from '../shared/madePage';

export const page: MadePage = {
  scope: 'window',
  content: <OpProfile />,
  answer: ({ type }) => (type === 'request' ? profileView() : null),
};
