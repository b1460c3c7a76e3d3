import { Hosts } from '../../../../extension/webview/panels/hosts/hosts';
import type { MadePage } from '../shared/madePage';
import { hostsView } from './madeHosts';

export const page: MadePage = { content: <Hosts />, answer: () => hostsView() };
