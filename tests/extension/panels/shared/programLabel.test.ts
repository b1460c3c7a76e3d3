import { expect, test } from 'vitest';
import { programLabel } from '../../../../extension/webview/shared/op/programLabel';

test('programs of one name are told apart by their ids, and others need none', () => {
  const programs = ['12', '15'].map((program_id) => ({ name: 'jit__normal', program_id }));
  const all = [...programs, { name: 'jit_step', program_id: '3' }];
  expect(all.map((each) => programLabel(each, all))).toEqual(['jit__normal (12)', 'jit__normal (15)', 'jit_step']);
  const unnumbered = [0, 1].map(() => ({ name: 'step', program_id: '' }));
  expect(unnumbered.map((each) => programLabel(each, unnumbered))).toEqual(['step', 'step']);
});
