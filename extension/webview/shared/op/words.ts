// What the records of ops say in single words, as a person reads it.

import * as l10n from '@vscode/l10n';
import type { DimensionPadding, MatrixUnitRecord, OpRow } from '../../../src/protocol';
import { count, share } from '../text/format';
import { UNKNOWN } from '../text/quantities';

/** A memory space by the name that people know it by. */
export function spaceName(space: string): string {
  switch (space) {
    case 'main':
      return l10n.t('main memory');
    case 'host':
      return l10n.t('host memory');
    case 'other':
      return l10n.t('other memory');
    default:
      return space.toUpperCase();
  }
}

/** What an op is bound by: compute, or a memory space. */
export function boundByText(boundBy: string | null): string {
  return boundBy === null ? UNKNOWN : boundBy === 'compute' ? l10n.t('compute') : spaceName(boundBy);
}

/** Where an op's work is done, as a word and an icon. */
export function sideWord(side: OpRow['side']): { readonly text: string; readonly icon: string } {
  return {
    device: { text: l10n.t('device'), icon: 'circuit-board' },
    host: { text: l10n.t('host'), icon: 'server' },
    callback: { text: l10n.t('callback'), icon: 'call-incoming' },
  }[side];
}

export function roleName(role: DimensionPadding['role']): string {
  return {
    batch: l10n.t('batch'),
    feature: l10n.t('feature'),
    spatial: l10n.t('spatial'),
    contracting: l10n.t('contracting'),
  }[role];
}

/** How a dimension stands to its tile: `512 fits: 4 × 128`, or `3 → 8 (tile 8, 37.5 % used)`. */
export function dimensionText({ size, padded, tile }: DimensionPadding): string {
  if (size !== padded) {
    return l10n.t('{0} → {1} (tile {2}, {3} used)', count(size), count(padded), count(tile), share(size / padded));
  }
  return tile > 1 ? l10n.t('{0} fits: {1} × {2}', count(size), count(padded / tile), count(tile)) : count(size);
}

/** What padded FLOPs are: of another device than that of the profile they are predicted. */
export function paddedMeaning(unit: MatrixUnitRecord | null): string {
  return unit?.basis === 'predicted' && unit.device !== null
    ? l10n.t('FLOPs with sizes rounded up to the matrix unit, predicted for {0}', unit.device)
    : l10n.t('FLOPs with sizes rounded up to the matrix unit');
}

/** A line of source by its file's name: `decoder.py:48`. */
export function lineText(path: string | null, line: number | null): string {
  return line === null ? '' : `${fileName(path)}:${String(line)}`;
}

/** The name of a file without its folders. */
export function fileName(path: string | null): string {
  return path?.split('/').at(-1) ?? l10n.t('(unknown file)');
}

/** A function's qualified name without what every inner function has in it: `update.<lambda>`. */
export function functionText(name: string): string {
  return name.replaceAll('.<locals>', '');
}
