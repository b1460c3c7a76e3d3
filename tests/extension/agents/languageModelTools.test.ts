import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CancellationTokenSource, lm, workspace } from 'vscode';
import { DaemonError } from '../../../extension/src/daemon/connection';
import { registerLanguageModelTools } from '../../../extension/src/agents/languageModelTools';
import { tools } from '../../../extension/src/agents/toolList';
import { FakeDaemon } from '../features/fakeDaemon';
import { fake, resetFake, silentLog } from '../vscode';

interface Tool {
  prepareInvocation(options: { input: unknown }): {
    confirmationMessages?: { title: string; message: { value: string } };
  };
  invoke(options: { input: unknown }, token: unknown): Promise<{ content: readonly { value: string }[] }>;
}

const ANSWER = { text: 'two runs\nnext: summary()', is_error: false, view: null, file: null, line: null, run: null };

beforeEach(resetFake);

function setUp() {
  const daemon = new FakeDaemon();
  const open = vi.fn(() => Promise.resolve());
  registerLanguageModelTools({ daemon: daemon.connection, log: silentLog() } as never, {
    current: { path: '/w/.scopelight/one' } as never,
    open: open as never,
  });
  const tool = (name: string) => (lm.tools as unknown as Map<string, Tool>).get(`scopelight_${name}`) as Tool;
  const invoke = async (name: string, input: unknown, answer: unknown = ANSWER) => {
    const result = tool(name).invoke({ input }, new CancellationTokenSource().token);
    const asked = await daemon.request(daemon.asked.length - 1);
    if (answer instanceof Error) asked.refuse(answer);
    else asked.answer(answer);
    return { asked, text: (await result).content.map(({ value }) => value).join('') };
  };
  return { daemon, open, tool, invoke };
}

describe("tools of the editor's language models", () => {
  test('are those of the manifest, each of them', () => {
    setUp();
    expect([...(lm.tools as unknown as Map<string, Tool>).keys()].sort()).toEqual(Object.keys(tools).sort());
  });

  test('answer what the daemon says, which is asked quietly', async () => {
    const { asked, text } = await setUp().invoke('hot_lines', { limit: 3, show: false });
    expect(asked.method).toBe('scopelight/callTool');
    expect(asked.params).toEqual({ name: 'hot_lines', arguments: '{"limit":3}', agreed: false });
    expect(asked.isQuiet).toBe(true);
    expect(text).toBe(ANSWER.text);
    expect(fake.executed).toEqual([]);
  });

  test('ask the person before a script runs, and only then', () => {
    const { tool } = setUp();
    expect(tool('summary').prepareInvocation({ input: {} }).confirmationMessages).toBeUndefined();
    for (const name of ['profile_script', 'predict_on_tpu']) {
      const input = { script: 'train.py', args: ['--steps', '5'] };
      const { confirmationMessages } = tool(name).prepareInvocation({ input });
      expect(confirmationMessages?.message.value).toContain('train.py --steps 5');
    }
  });

  test('run no script in a workspace that is not trusted', async () => {
    const { daemon, tool } = setUp();
    Object.assign(workspace, { isTrusted: false });
    const result = await tool('profile_script').invoke({ input: { script: 'train.py' } }, undefined);
    expect(result.content[0]?.value).toContain('trusted');
    expect(daemon.asked).toEqual([]);
  });

  test('show the line where the model wants it', async () => {
    const { invoke, open } = setUp();
    await invoke(
      'line_detail',
      { line: 'a.py:3', show: true },
      { ...ANSWER, file: '/w/a.py', line: 3, run: '/w/.scopelight/two' },
    );
    expect(open).toHaveBeenCalledWith('/w/.scopelight/two', { isQuiet: true });
    expect(fake.executed).toContainEqual({ command: 'scopelight.goToLine', args: ['/w/a.py', 3] });
  });

  test('show the panel where there is no line', async () => {
    const { invoke, open } = setUp();
    await invoke('hot_lines', { show: true }, { ...ANSWER, view: 'lines', run: '/w/.scopelight/one' });
    expect(open).not.toHaveBeenCalled();
    expect(fake.executed).toContainEqual({ command: 'scopelight.openHotLines', args: [] });
  });

  test('show a run that a script has just made, without being asked to', async () => {
    const { invoke, open } = setUp();
    await invoke('profile_script', { script: 'train.py' }, { ...ANSWER, run: '/w/.scopelight/new' });
    expect(open).toHaveBeenCalledWith('/w/.scopelight/new', { isQuiet: true });
  });

  test('say why the daemon cannot answer', async () => {
    const { text } = await setUp().invoke('summary', {}, new DaemonError('Scopelight needs its daemon.'));
    expect(text).toBe('Scopelight needs its daemon.');
  });
});
