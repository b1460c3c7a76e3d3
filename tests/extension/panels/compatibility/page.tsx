import { Compatibility } from '../../../../extension/webview/panels/compatibility/compatibility';
import type { MadePage } from '../shared/madePage';
import { compatibilityView } from './madeCompatibility';

export const page: MadePage = { content: <Compatibility />, answer: () => compatibilityView() };
