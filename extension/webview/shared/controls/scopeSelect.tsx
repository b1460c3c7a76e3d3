// What of the run is looked at: one choice for all panels, the texts and the status bar.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord } from '../../../src/protocol';
import { scopeName, SCOPES } from '../../../src/runs/scopeWords';
import { usePage } from '../page/page';
import { Select } from './select';

/** `extent` is what the record that is shown is over. */
export function ScopeSelect({ extent }: { readonly extent: ExtentRecord }) {
  const { host } = usePage();
  if (extent.kind === 'program') {
    return null;
  }
  // The setting leads: it has changed before the record that follows it is there.
  const scope = host.facts.value?.scope ?? extent.kind;
  return (
    <Select
      class="scope"
      label={l10n.t('Looked at')}
      options={SCOPES.map((value) => ({ value, label: scopeName(value) }))}
      value={extent.has_steps ? scope : 'window'}
      onChange={(chosen) => host.chooseScope(chosen)}
      {...(extent.has_steps ? {} : { disabled: l10n.t('The run has no steps, so all of the window is looked at.') })}
    />
  );
}
