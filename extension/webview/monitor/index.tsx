// Monitor: how the job that is watched does, over time.

import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { MonitorFacts, MonitorHostMessage, MonitorPageMessage } from '../../src/monitor/messages';
import '../shared/theme.css';
import '../shared/hues.css';
import './monitor.css';
import { Monitor } from './monitor';

const element = document.getElementById('page');
if (element === null) {
  throw new Error('This document was not made by its host.');
}
l10n.config({ contents: element.dataset.texts ?? '{}' });
const api = acquireVsCodeApi();
const facts = signal<MonitorFacts | null>(null);
const tell = (message: MonitorPageMessage): void => api.postMessage(message);
window.addEventListener('message', ({ data }: MessageEvent<MonitorHostMessage>) => {
  facts.value = data.facts;
});
render(<Monitor facts={facts} tell={tell} />, element);
tell({ type: 'ready' });
