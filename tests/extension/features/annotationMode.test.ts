import { beforeEach, describe, expect, test, vi } from 'vitest';
import { window } from 'vscode';
import { registerAnnotationMode } from '../../../extension/src/lines/annotationMode';
import type { TextAnnotations } from '../../../extension/src/lines/annotations';
import type { AnnotationMode } from '../../../extension/src/protocol';
import type { ShownRun } from '../../../extension/src/runs/shownRun';
import { changeSetting, fake, resetFake, silentLog } from '../vscode';
import { opened } from './fakeDaemon';

beforeEach(resetFake);

interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly mode: AnnotationMode | undefined;
}

function setUp({ annotated = true, files = [] as string[] } = {}) {
  const item = { show: vi.fn(), hide: vi.fn(), dispose: vi.fn(), text: '' };
  vi.mocked(window.createStatusBarItem).mockReturnValueOnce(item as never);
  const unchanging = () => ({ dispose: () => undefined });
  (window as { activeTextEditor: unknown }).activeTextEditor = { document: { uri: { fsPath: '/w/train.py' } } };
  registerAnnotationMode(
    { log: silentLog() as never },
    { of: () => (annotated ? [{}] : []), onDidChange: unchanging } as unknown as TextAnnotations,
    { current: { ...opened('/runs/a'), files }, onDidChange: unchanging } as unknown as ShownRun,
  );
  return item;
}

async function choose(label: string): Promise<Choice[]> {
  let offered: Choice[] = [];
  vi.mocked(window.showQuickPick).mockImplementationOnce((items) => {
    offered = items as unknown as Choice[];
    return Promise.resolve(offered.find((each) => each.label === label) as never);
  });
  await fake.commands.get('scopelight.selectAnnotationMode')?.();
  return offered;
}

describe('the annotation mode', () => {
  test.each([
    ['Phases', 'phases'],
    ['FLOPs', 'flops'],
    ['Padding', 'padding'],
    ['Memory', 'memory'],
    ['Change', 'change'],
  ])('%s is chosen from a list, and stands in the status bar', async (label, mode) => {
    const item = setUp();
    expect(item.text).toBe('$(eye) Time');
    const offered = await choose(label);
    expect(offered.map((each) => each.label)).toEqual([
      'Time',
      'Phases',
      'FLOPs',
      'Padding',
      'Memory',
      'Change',
      'Off',
    ]);
    expect(offered.find(({ description }) => description !== undefined)?.label).toBe('Time');
    expect(fake.settings.get('scopelight.annotations.mode')).toBe(mode);
    expect(item.text).toBe(`$(eye) ${label}`);
  });

  test('is switched off and on again', async () => {
    const item = setUp();
    changeSetting('scopelight.annotations.mode', 'flops');
    await choose('Off');
    expect(item.text).toBe('$(eye-closed) Annotations Off');
    await choose('FLOPs');
    expect(item.text).toBe('$(eye) FLOPs');
  });

  test('can be left in a file of the run where no line has anything to say in it', () => {
    expect(setUp({ annotated: false }).show).not.toHaveBeenCalled();
    expect(setUp({ annotated: false, files: ['/w/train.py'] }).show).toHaveBeenCalled();
  });
});
