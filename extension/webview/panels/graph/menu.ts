// The context menu of a node.

import * as l10n from '@vscode/l10n';
import type { MenuItem } from '../../shared/controls/menu';
import { lineItems } from '../../shared/frame/list';
import type { Page } from '../../shared/page/page';
import { showInItems } from '../../shared/page/showIn';
import type { GraphNode } from '../../../src/protocol';
import { canOpen, isOp, selectionOf, titleOf } from './model/words';
import type { Viewer } from './viewer';

export function menuOf(page: Page, viewer: Viewer, node: GraphNode): readonly MenuItem[] {
  return [...lineItems(page, node), ...ownItems(viewer, node), ...showInItems(page, selectionOf(node))];
}

/** What only the graph does with a node. */
export function ownItems(viewer: Viewer, node: GraphNode): readonly MenuItem[] {
  const { navigation, record, model } = viewer;
  const isOfOp = isOp(node);
  const opens = canOpen(node, model);
  const center = model.byKey.get(record.center ?? '');
  const isOpen = node.is_open || model.groups.has(node.key);
  const opening =
    node.kind === 'hub' && !node.can_open
      ? isOpen
        ? l10n.t('Follow No More')
        : l10n.t('Follow Its Neighbours')
      : isOpen
        ? l10n.t('Close')
        : l10n.t('Open in Place');
  return [
    ...(opens ? [{ label: opening, keys: 'O', run: () => void viewer.toggle(node) }] : []),
    ...(isOfOp || node.kind === 'line'
      ? [
          {
            label: isOfOp ? l10n.t('Show Neighbours') : l10n.t('Show Its Ops'),
            keys: 'N',
            run: () => void viewer.showOps(node),
          },
        ]
      : []),
    ...(isOfOp && center !== undefined && center !== node
      ? [
          {
            label: l10n.t('Show the Way from {0}', titleOf(center)),
            run: () => navigation.way(center.key, node.key),
          },
        ]
      : []),
  ];
}
