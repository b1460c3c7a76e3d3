// The details pane: the selected event, what is in the selection, or what the timeline holds.

import { FindingsBelow } from '../../../shared/findings/findings';
import * as l10n from '@vscode/l10n';
import { Icon } from '../../../shared/controls/elements';
import { Facts, quantityFact } from '../../../shared/frame/facts';
import { count } from '../../../shared/text/format';
import { COUNT, TIME } from '../../../shared/text/quantities';
import { Loading } from '../../../shared/page/states';
import { keyText } from '../actions/action';
import type { Timeline } from '../state/controller';
import { EventDetails } from './eventDetails';
import { SelectionDetails } from './selectionDetails';

export function Details(props: { readonly timeline: Timeline }) {
  const { timeline } = props;
  const { state, selecting } = timeline;
  const span = state.selectedSpan.value;
  if (selecting.failure.value !== null) {
    return (
      <div class="state" role="alert">
        <p class="reason">
          <Icon name="error" /> {selecting.failure.value}
        </p>
      </div>
    );
  }
  if (span !== null) {
    return <SelectionDetails timeline={timeline} span={span} />;
  }
  const event = selecting.event.value;
  if (event !== null) {
    return <EventDetails timeline={timeline} event={event} />;
  }
  return state.selectedEvent.value === null ? (
    <NothingSelected timeline={timeline} />
  ) : (
    <Loading what={l10n.t('Reading the event…')} progress={null} />
  );
}

function NothingSelected(props: { readonly timeline: Timeline }) {
  const record = props.timeline.state.record.value;
  if (record === null) {
    return null;
  }
  const { steps } = record;
  return (
    <>
      <h2 class="details-title">{l10n.t('Timeline')}</h2>
      <Facts
        facts={[
          quantityFact(l10n.t('length'), TIME, record.duration_ps),
          quantityFact(l10n.t('events'), COUNT, record.events),
          steps === null
            ? null
            : { name: l10n.t('steps'), text: l10n.t('{0} of {1}', count(steps.start_ps.length), steps.name) },
        ]}
      />
      <p class="quiet hint">
        {l10n.t(
          'Press an event to see what it is, or drag a box over several. {0} lists all keys, {1} searches.',
          keyText('?'),
          keyText('/'),
        )}
      </p>
      <FindingsBelow findings={record.findings} icon="warning" />
    </>
  );
}
