// The button that shows what a chart draws as a table, and back.

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { IconButton } from '../controls/elements';

export function TableToggle(props: { readonly asTable: Signal<boolean> }) {
  const { asTable } = props;
  return (
    <IconButton
      icon={asTable.value ? 'graph' : 'list-flat'}
      label={asTable.value ? l10n.t('Show as Chart') : l10n.t('Show as Table')}
      onPress={() => (asTable.value = !asTable.value)}
    />
  );
}
