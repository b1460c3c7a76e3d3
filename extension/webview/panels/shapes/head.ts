// The head of Shapes: how many programs a function was compiled to, and what that took.

import * as l10n from '@vscode/l10n';
import type { ShapeFamily } from '../../../src/protocol';
import { type Figure, quantityFigure } from '../../shared/frame/figures';
import { greatest } from '../../shared/table/greatest';
import { count } from '../../shared/text/format';
import { COUNT, TIME } from '../../shared/text/quantities';
import { changingText } from './words';

export function figures(family: ShapeFamily): readonly Figure[] {
  const { variants, iterations } = family;
  const known = variants.map(({ compile_ps: time }) => time).filter((time) => time !== null);
  const mean =
    iterations.length === 0
      ? null
      : iterations.reduce((sum, { op_time_ps: time }) => sum + time, 0) / iterations.length;
  return [
    quantityFigure(
      l10n.t('Programs'),
      COUNT,
      variants.length,
      changingText(family) === null ? l10n.t('of one function') : l10n.t('{0} changes', changingText(family) ?? ''),
    ),
    quantityFigure(
      l10n.t('Compiling'),
      TIME,
      known.length === 0 ? null : known.reduce((sum, time) => sum + time, 0),
      known.length === variants.length
        ? l10n.t('all of them')
        : l10n.t('{0} of them, of others it is not known', count(known.length)),
    ),
    quantityFigure(l10n.t('Runs'), COUNT, iterations.length, l10n.t('in the window')),
    quantityFigure(l10n.t('Op time'), TIME, mean === null ? null : Math.round(mean), l10n.t('of a run on average')),
    quantityFigure(
      l10n.t('Longest run'),
      TIME,
      greatest(iterations, ({ op_time_ps: time }) => time),
      l10n.t('of op time'),
    ),
  ];
}
