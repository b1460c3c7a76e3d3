// What the record of programs says in single words, as a person reads it.

import * as l10n from '@vscode/l10n';
import type { CompilationRow, ProgramRow, ProgramsRecord } from '../../../src/protocol';

export function causeName(cause: CompilationRow['cause']): string {
  return {
    first: l10n.t('first call'),
    argument: l10n.t('an argument changed'),
    static: l10n.t('a static argument changed'),
    structure: l10n.t('the structure of arguments changed'),
    context: l10n.t('a setting of jax changed'),
    redefined: l10n.t('the function was made anew'),
    placement: l10n.t('arguments lay elsewhere'),
    unexplained: l10n.t('not explained by jax'),
  }[cause];
}

/** `x: f32[32,64] → f32[33,64]`. */
export function changedText({ name, before, after }: ProgramRow['changed'][number]): string {
  return `${name}: ${before ?? l10n.t('none')} → ${after ?? l10n.t('none')}`;
}

/** The program as the other panels call it: with its id where several have its name. */
export function programName({ name, program_id: id, variants }: ProgramRow): string {
  return variants > 1 && id !== '' ? `${name} (${id})` : name;
}

export function variantText({ variant, variants }: ProgramRow): string {
  return variants === 1 ? '' : l10n.t('{0} of {1}', variant, variants);
}

/** What a search for a program looks in. */
export function searchedText(row: ProgramRow): string {
  return [row.name, row.function, row.program_id, ...row.arguments.map(({ name, shape }) => `${name} ${shape}`)].join(
    '\n',
  );
}

export function statusParts({ rows, compilations }: ProgramsRecord): readonly (string | null)[] {
  const functions = new Set(rows.map(({ name }) => name)).size;
  const ran = rows.filter(({ runs }) => runs > 0).length;
  const times = compilations.reduce((sum, { count }) => sum + count, 0);
  return [
    rows.length === 1 ? l10n.t('1 program') : l10n.t('{0} programs of {1} functions', rows.length, functions),
    ran === rows.length ? null : l10n.t('{0} ran in the window', ran),
    compilations.length === 0 ? null : l10n.t('compiled {0} times in the whole run', times),
  ];
}
