import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { askingCode } from '../../../extension/src/notebooks/askKernel';

const SAYS = `
import builtins, sys, types
shell = object()
def profile_next_cell(asked, *, out, conductor):
    assert asked is shell
    return "\\n".join((out, conductor))
sys.modules["scopelight_agent"] = package = types.ModuleType("scopelight_agent")
package.notebook = types.SimpleNamespace(profile_next_cell=profile_next_cell)
names = {"get_ipython": lambda: shell}
path, found = list(sys.path), []
importing = builtins.__import__
def look(*arguments):
    found.append(sys.path[0])
    return importing(*arguments)
builtins.__import__ = look
`;

test('a kernel is asked by plain Python, whatever the paths hold, and nothing of it stays', () => {
  const asked = { agent: 'C:\\a "b"\\agent.whl', out: "/it's/.scopelight/run", conductor: '/ünï/🐍/python' };
  const script = `${SAYS}
exec(${JSON.stringify(askingCode(asked))}, names)
assert sorted(each for each in names if each != "__builtins__") == ["get_ipython"]
assert sys.path == path
print(found[-1])
`;
  const printed = execFileSync('.venv/bin/python', ['-c', script], { encoding: 'utf8' });
  expect(printed.trimEnd().split('\n')).toEqual([asked.out, asked.conductor, asked.agent]);
});
