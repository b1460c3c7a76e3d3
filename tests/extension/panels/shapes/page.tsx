import { Shapes } from '../../../../extension/webview/panels/shapes/shapes';
import type { MadePage } from '../shared/madePage';
import { shapesView } from './madeShapes';

export const page: MadePage = { content: <Shapes />, answer: () => shapesView() };
