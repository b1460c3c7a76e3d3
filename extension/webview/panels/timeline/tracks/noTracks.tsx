// Says why the picture is empty where the filter left no track.

import * as l10n from '@vscode/l10n';
import { Button } from '../../../shared/controls/elements';
import { isolated } from '../../../shared/text/format';
import type { TimelineState } from '../state/state';

export function NoTracks(props: { readonly state: TimelineState }) {
  const { arranged, filter, record, section } = props.state;
  const words = filter.value.trim();
  if (words === '' || arranged.value.some(({ tracks }) => tracks.length > 0)) {
    return null;
  }
  const only = record.value?.sections.find(({ id }) => id === section.value);
  return (
    <div class="state no-tracks" role="status">
      <p class="reason">
        {only === undefined
          ? l10n.t('No track is called “{0}”.', words)
          : l10n.t('No track of {0} is called “{1}”.', isolated(only.name), words)}
      </p>
      <div class="buttons">
        <Button label={l10n.t('Clear Filter')} onPress={() => (filter.value = '')} />
      </div>
    </div>
  );
}
