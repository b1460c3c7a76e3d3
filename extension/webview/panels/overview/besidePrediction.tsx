// Of a run that was measured on a TPU, that it was predicted too: both can stand side by side.

import * as l10n from '@vscode/l10n';
import { canRun, commandLabel } from '../../shared/findings/actions';
import { usePage } from '../../shared/page/page';

const COMMAND = 'scopelight.besidePrediction';

/** Nothing where the shown run was not predicted, and on the page of a file, which it is not of. */
export function BesidePrediction() {
  const { host, path } = usePage();
  const facts = host.facts.value;
  const predictedBy = path === null ? (facts?.shownRun?.predicted_by ?? null) : null;
  return predictedBy === null || !canRun(COMMAND, facts) ? null : (
    <p class="beside-prediction">
      {l10n.t('What a TPU would do with this script was predicted before.')}{' '}
      <button type="button" class="link" onClick={() => host.run(COMMAND)}>
        {commandLabel(COMMAND)}
      </button>
    </p>
  );
}
