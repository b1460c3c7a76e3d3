import { test } from 'vitest';
import { Panels } from '../driver/panels.js';
import { useEditor } from '../editor.js';

const editor = useEditor({ withRun: true });

declare const navigator: { serviceWorker: { register(): Promise<unknown> } };
declare const localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
declare const location: { href: string };

/** What editors that serve every page from one address do now and then: the next tab waits for its worker for ever. */
function loseNextWorker(): void {
  const mark = 'lost worker';
  const isTab = location.href.includes('/webview/') && !location.href.includes('purpose=webviewView');
  if (isTab && localStorage.getItem(mark) === null) {
    localStorage.setItem(mark, location.href);
    navigator.serviceWorker.register = () => new Promise(() => undefined);
  }
}

test('a panel whose page does not start is made anew', async () => {
  const { workbench, context } = editor();
  await workbench.chooseRun(/transformer/);
  await context.addInitScript(loseNextWorker);
  const page = await new Panels(workbench).open('Op Statistics');
  await page.getByRole('row').nth(1).waitFor();
});
