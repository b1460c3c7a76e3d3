import { Programs } from '../../../../extension/webview/panels/programs/programs';
import type { MadePage } from '../shared/madePage';
import { programsView } from './madePrograms';

export const page: MadePage = { content: <Programs />, answer: () => programsView() };
