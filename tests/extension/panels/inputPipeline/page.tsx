import { InputPipeline } from '../../../../extension/webview/panels/inputPipeline/inputPipeline';
import type { MadePage } from '../shared/madePage';
import { inputView } from './madeInput';

const view = inputView();

export const page: MadePage = { content: <InputPipeline />, answer: () => view };
