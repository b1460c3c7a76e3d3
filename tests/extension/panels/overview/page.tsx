import { Overview } from '../../../../extension/webview/panels/overview/overview';
import type { MadePage } from '../shared/madePage';
import { overviewView } from './madeOverview';

export const page: MadePage = { content: <Overview />, answer: () => overviewView() };
