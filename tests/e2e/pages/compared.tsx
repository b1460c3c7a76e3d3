// Pages with made data whose run is compared with another, in as many rounds as the address asks for.

import { HotLines } from '../../../extension/webview/panels/hotLines/hotLines';
import { Overview } from '../../../extension/webview/panels/overview/overview';
import type { PanelId } from '../../../extension/src/panels/registry';
import { aView } from '../../extension/panels/hotLines/madeLines';
import { overviewView } from '../../extension/panels/overview/madeOverview';
import { aComparedRow, someSides } from '../../extension/panels/shared/madeChanges';
import { MS } from '../../extension/panels/shared/madeOps';
import type { Asked, MadePage } from '../../extension/panels/shared/madePage';
import { showPanel } from './panelPage';

const asked = new URLSearchParams(location.hash.slice(1));
const rounds = Number(asked.get('rounds') ?? 1);
const panel = (asked.get('panel') ?? 'overview') as PanelId & ('overview' | 'hotLines');
if (asked.get('place') === 'sideBar') {
  document.body.dataset['place'] = 'sideBar';
}

const VERDICTS = ['worse', 'only-after', 'better', 'cannot-tell'] as const;

function comparedRows(keys: readonly string[]) {
  const rows = keys.map((key, at) =>
    aComparedRow({
      key,
      before_key: key,
      after_key: key,
      before_ps: (10 + 3 * at) * MS,
      after_ps: (12 + at) * MS,
      verdict: VERDICTS[at % VERDICTS.length] ?? 'worse',
    }),
  );
  const gone = aComparedRow({
    key: 'was',
    kind: 'line',
    before_path: 'train.py',
    before_line: 36,
    before_ps: 14.9 * MS,
    after_ps: null,
    after_key: null,
    verdict: 'only-before',
  });
  const side = { step_durations_ps: [] };
  return { rows: [...rows, gone], findings: [], before: side, after: side, rounds, has_steps: true };
}

function answering(view: unknown, rows: readonly { readonly key: string }[]) {
  const compared = comparedRows(rows.map(({ key }) => key));
  return (message: Asked): unknown =>
    message.type === 'request' ? view : message.details === 'compared' ? compared : null;
}

const pages: Readonly<Record<typeof panel, () => MadePage>> = {
  overview: () => {
    const view = overviewView();
    const { lines, waiting_lines: waiting, ops } = view.record;
    return {
      content: <Overview />,
      comparison: someSides,
      answer: answering(view, [...lines, ...waiting, ...ops]),
    };
  },
  hotLines: () => {
    const view = aView();
    return { content: <HotLines />, comparison: someSides, answer: answering(view, view.record.lines) };
  },
};

const FONTS = ['13px Letters', '600 13px Letters', '12px Code', '13px Signs', '13px Arrows'];
void Promise.all(FONTS.map((font) => document.fonts.load(font))).then(() => showPanel(panel, pages[panel]()));
