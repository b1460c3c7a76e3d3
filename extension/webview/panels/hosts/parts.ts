// What a core did in a step: the parts by name, each in the fixed look that hosts.css gives it.

import * as l10n from '@vscode/l10n';
import type { CoreRow } from '../../../src/protocol';

export type CoreParts = CoreRow['parts'];
export type CorePart = keyof CoreParts;

/** In the order in which they stand beside each other: work, moving data, waiting. */
export const CORE_PARTS: readonly CorePart[] = [
  'high-flops',
  'low-flops',
  'host-transfer',
  'send',
  'recv',
  'infeed',
  'outfeed',
  'collective-move',
  'collective-wait',
  'idle',
];

export function corePartName(part: CorePart): string {
  return {
    'high-flops': l10n.t('high FLOPs'),
    'low-flops': l10n.t('low FLOPs'),
    'host-transfer': l10n.t('host transfer'),
    send: l10n.t('send'),
    recv: l10n.t('receive'),
    infeed: l10n.t('infeed'),
    outfeed: l10n.t('outfeed'),
    'collective-move': l10n.t('collective moves'),
    'collective-wait': l10n.t('collective waits'),
    idle: l10n.t('idle'),
  }[part];
}

export function corePartMeaning(part: CorePart): string {
  return {
    'high-flops': l10n.t('Matrix products and convolutions'),
    'low-flops': l10n.t('Other computation'),
    'host-transfer': l10n.t('Copies from and to the memory of the host'),
    send: l10n.t('Sending to another device'),
    recv: l10n.t('Receiving from another device'),
    infeed: l10n.t('Fed by the host'),
    outfeed: l10n.t('Feeding the host'),
    'collective-move': l10n.t('In collectives while they move data'),
    'collective-wait': l10n.t('In collectives until the last device has come'),
    idle: l10n.t('Nothing runs'),
  }[part];
}
