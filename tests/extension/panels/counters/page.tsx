import { Counters } from '../../../../extension/webview/panels/counters/counters';
import type { MadePage } from '../shared/madePage';
import { countersView } from './madeCounters';

export const page: MadePage = { content: <Counters />, answer: () => countersView() };
