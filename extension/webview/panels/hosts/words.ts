// How devices and links are called on screen.

import * as l10n from '@vscode/l10n';
import type { HostRow, LinkRow } from '../../../src/protocol';
import { count } from '../../shared/text/format';

/** `host0 /device:TPU:3` as `host0 TPU:3`. */
export function deviceName(name: string): string {
  return name.replace('/device:', '');
}

/** From where to where, or how many devices are linked. */
export function linkName({ source, destination, kind, group }: LinkRow): string {
  return kind === 'group'
    ? l10n.t('{0} devices: {1} … {2}', count(group.length), deviceName(source), deviceName(destination))
    : `${deviceName(source)} → ${deviceName(destination)}`;
}

/** All that is linked, for a tooltip. */
export function exactLinkName(link: LinkRow): string {
  return link.kind === 'group' ? link.group.map(deviceName).join('\n') : linkName(link);
}

export function linkKey({ kind, source, destination, group, ops }: LinkRow): string {
  return JSON.stringify([kind, source, destination, group, ops]);
}

/** Whether others are held against the clock of this host. */
export function isReference({ offset_error_ps: error }: Pick<HostRow, 'offset_error_ps'>): boolean {
  return error === 0;
}

/** `jit(step)/while/body/psum` as `psum`: what it is in jax, without where it is. */
export function primitiveOf(name: string): string {
  return name.split('/').at(-1) ?? '';
}

/** What runs over a link: as jax has it, each once. */
export function opsText({ names, ops }: LinkRow): string {
  const texts = names.map(primitiveOf).filter((name) => name !== '');
  return [...new Set(texts.length > 0 ? texts : ops)].join(', ');
}
