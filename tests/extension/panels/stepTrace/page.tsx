import { StepTrace } from '../../../../extension/webview/panels/stepTrace/stepTrace';
import type { MadePage } from '../shared/madePage';
import { stepTraceView } from './madeStepTrace';

export const page: MadePage = { content: <StepTrace />, answer: () => stepTraceView() };
