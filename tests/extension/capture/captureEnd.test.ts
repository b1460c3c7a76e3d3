import { beforeEach, describe, expect, test, vi } from 'vitest';
import { editorState, tellResult } from '../../../extension/src/capture/captureEnd';
import { aFinding, anEmpty } from '../panels/shared/madeFindings';
import { changeSetting, fake, resetFake, workspace } from '../vscode';
import { opened } from '../features/fakeDaemon';

const LOADS = {
  file: '/w/train.py',
  path: 'train.py',
  line: 73,
  recorded_file: '/w/train.py',
  recorded_line: 71,
  share_ratio: 0.62,
};
const run = opened('/runs/a', { hottest: LOADS });
const MADE = { out: '/runs/a', target: undefined };
const SHOWN = { command: 'scopelight.hotLines.focus', args: [{ preserveFocus: true }] };
const OVERVIEW = { command: 'scopelight.openPanelBeside', args: ['overview'] };

beforeEach(resetFake);

const executed = () => fake.executed.filter(({ command }) => command.startsWith('scopelight.'));

describe('the end of a capture', () => {
  test('shows Hot Lines and Overview without taking the keyboard, and says what costs most', async () => {
    await tellResult(run, MADE, editorState());
    expect(executed()).toEqual([SHOWN, OVERVIEW]);
    expect(fake.messages.at(-1)).toMatchObject({ kind: 'information', text: run.summary });
  });

  test('leads to the line as it was recorded, which may have moved meanwhile', async () => {
    await tellResult(run, MADE, editorState());
    fake.messages.at(-1)?.press('Show');
    await vi.waitFor(() =>
      expect(executed().at(-1)).toEqual({ command: 'scopelight.goToLine', args: ['/w/train.py', 71] }),
    );
  });

  test('shows no list where that is not wanted', async () => {
    changeSetting('scopelight.capture.showHotLines', false);
    changeSetting('scopelight.capture.showOverview', false);
    await tellResult(run, MADE, editorState());
    expect(executed()).toEqual([]);
    expect(fake.messages.at(-1)).toMatchObject({ text: run.summary, buttons: ['Show'] });
  });

  test('offers Overview in place of opening it beside a text that is edited meanwhile', async () => {
    await tellResult(run, MADE, 'file:///w/other.py 3');
    expect(executed()).toEqual([SHOWN]);
    fake.messages.at(-1)?.press('Show Overview');
    await vi.waitFor(() => expect(executed().at(-1)?.command).toBe('scopelight.openOverview'));
  });

  test('opens no text over the one that is edited meanwhile', async () => {
    const open = vi.spyOn(workspace, 'openTextDocument').mockRejectedValue(new Error('none here'));
    open.mockClear();
    await tellResult(run, MADE, 'file:///w/other.py 3');
    expect(open).not.toHaveBeenCalled();
    await tellResult(run, MADE, editorState());
    expect(open).toHaveBeenCalledWith(expect.objectContaining({ fsPath: '/w/train.py' }));
  });

  test('of which nothing is known says why, beside the list that says it too', async () => {
    await tellResult(opened('/runs/a', { findings: anEmpty('Nothing ran.') }), MADE, editorState());
    expect(executed()).toEqual([SHOWN]);
    expect(fake.messages.at(-1)).toMatchObject({
      kind: 'warning',
      text: expect.stringContaining('Nothing ran.') as string,
    });
  });

  describe('of a prediction', () => {
    const fit = { action: { command: 'show-view', arguments: { view: 'fit' } } };
    const compatibility = { action: { command: 'show-view', arguments: { view: 'compatibility' } } };
    const predicted = { predicted_for: 'TPU v5e', hottest: LOADS };

    test('leads to Compatibility before its line where ops are refused', async () => {
      const findings = [
        aFinding('warning', 'The TPU refuses 2 ops.', compatibility),
        aFinding('warning', 'One program is missing.', compatibility),
      ];
      await tellResult(opened('/runs/a', { ...predicted, findings }), MADE, editorState());
      expect(fake.messages.at(-1)?.buttons).toEqual(['Show Compatibility', 'Show']);
      fake.messages.at(-1)?.press('Show Compatibility');
      await vi.waitFor(() => expect(executed().at(-1)?.command).toBe('scopelight.openCompatibility'));
    });

    test('leads to the memory first where it does not fit', async () => {
      const findings = [
        aFinding('warning', 'The TPU refuses 2 ops.', compatibility),
        aFinding('warning', 'It does not fit.', fit),
      ];
      await tellResult(opened('/runs/a', { ...predicted, findings }), MADE, editorState());
      expect(fake.messages.at(-1)?.buttons).toEqual(['Show Memory Viewer', 'Show Compatibility', 'Show']);
      fake.messages.at(-1)?.press('Show Memory Viewer');
      await vi.waitFor(() => expect(executed().at(-1)?.command).toBe('scopelight.openMemoryViewer'));
    });

    test('that has no time for want of memory says how much it takes, and leads there', async () => {
      const summary = 'train.py, predicted for TPU v5e: does not fit: 64 of 15.75 GiB.';
      const findings = [aFinding('empty', 'It does not fit.', { ...fit, remedy: 'See what takes it.' })];
      await tellResult(opened('/runs/a', { ...predicted, summary, findings }), MADE, editorState());
      expect(fake.messages.at(-1)).toMatchObject({
        kind: 'warning',
        text: summary,
        buttons: ['Show Memory Viewer', 'Change Arguments…'],
      });
    });

    test('leads nowhere else where all is well, or what is to be known has no panel', async () => {
      const findings = [aFinding('note', 'Predicted for TPU v5e.', compatibility), aFinding('warning', 'Loops.')];
      await tellResult(opened('/runs/a', { ...predicted, findings }), MADE, editorState());
      expect(fake.messages.at(-1)?.buttons).toEqual(['Show']);
    });
  });

  test('without a line to lead to offers no button', async () => {
    for (const hottest of [null, { ...LOADS, file: null, recorded_file: null }]) {
      await tellResult(opened('/runs/a', { hottest }), MADE, editorState());
      expect(fake.messages.at(-1)).toMatchObject({ text: run.summary, buttons: [] });
    }
  });
});
