// A panel in a page of its own, whose host is this script.

import { render } from 'preact';
import type { HostMessage } from '../../../extension/src/panels/messages';
import type { PanelId } from '../../../extension/src/panels/registry';
import { PageProvider } from '../../../extension/webview/shared/page/page';
import { HostLink } from '../../../extension/webview/shared/page/rpc';
import { SavedState } from '../../../extension/webview/shared/page/state';
import '../../../extension/webview/shared/theme.css';
import '../../../extension/webview/shared/hues.css';
import { someFacts } from '../../extension/panels/shared/madeFacts';
import type { MadePage } from '../../extension/panels/shared/madePage';
import { HOST_AT_WORK } from './hostAtWork';

const SAVED = 'saved';

function say(message: HostMessage): void {
  window.postMessage(message, '*');
}

/** Shows a panel with made data. */
export function showPanel(panel: PanelId, { content, answer, scope = 'steps', comparison = null }: MadePage): void {
  const host = new HostLink(
    {
      postMessage: (message) => {
        if (message.type === 'ready') {
          say({
            type: 'facts',
            facts: { ...someFacts, scope, comparison },
            heardSelections: 0,
          });
        } else if (message.type === 'request' || message.type === 'details') {
          // In an editor the host is another process: benchmarks leave out what this one takes.
          const start = performance.now();
          const result = answer(message);
          if (result !== null) {
            say({ type: 'result', id: message.id, result });
          }
          performance.measure(HOST_AT_WORK, { start });
        }
      },
      getState: () => undefined,
      setState: (state) => state,
    },
    window,
  );
  const saved = new SavedState(
    {
      getState: () => JSON.parse(sessionStorage.getItem(SAVED) ?? 'null') as unknown,
      setState: (state) => sessionStorage.setItem(SAVED, JSON.stringify(state)),
    },
    panel,
  );
  const page = document.getElementById('page');
  if (page !== null) {
    render(<PageProvider value={{ panel, path: null, host, saved }}>{content}</PageProvider>, page);
    host.start();
  }
}
