// What became of the programs of a run: the time of their ops, by their names.

import { useMemo } from 'preact/hooks';
import type { ProgramRow } from '../../../src/protocol';
import { changeOfNode } from '../../shared/comparison/change';
import { selfTimeText } from '../../shared/comparison/columns';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useComparedTree } from '../../shared/comparison/comparedTree';
import { goneNodes } from '../../shared/comparison/gone';
import { TIME } from '../../shared/text/quantities';
import { TIME_COLUMN } from './columns';

export function useComparedPrograms(): ComparedRows<ProgramRow> | null {
  const tree = useComparedTree('comparedProfile', { by: 'program' });
  const of = JSON.stringify(tree?.sides ?? null);
  return useMemo(() => {
    if (tree === null) {
      return null;
    }
    const programs = tree.record?.nodes.filter(({ kind }) => kind === 'program') ?? [];
    // A name that several programs have stands with the id.
    const changes = new Map(programs.map((node) => [node.label, changeOfNode(node)]));
    const gone = programs.map((node) => ({ ...node, parent: null }));
    return {
      sides: tree.sides,
      changeOf: ({ name, program_id: id }) => changes.get(`${name} (${id})`) ?? changes.get(name) ?? null,
      gone: goneNodes(gone),
      quantity: TIME,
      meaning: selfTimeText(),
      rounds: tree.record?.rounds ?? 1,
      isPerStep: tree.record?.has_steps !== false,
      behind: TIME_COLUMN,
    };
  }, [of, tree?.record]);
}
