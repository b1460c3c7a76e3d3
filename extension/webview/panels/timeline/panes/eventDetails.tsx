// Everything that is known of the selected event.

import { FindingsBelow } from '../../../shared/findings/findings';
import * as l10n from '@vscode/l10n';
import type { EventRecord, FrameRecord, TrackRecord } from '../../../../src/protocol';
import { IconButton } from '../../../shared/controls/elements';
import { type Fact, Facts, quantityFact } from '../../../shared/frame/facts';
import { Ways } from '../../../shared/frame/ways';
import { count } from '../../../shared/text/format';
import { TIME } from '../../../shared/text/quantities';
import { usePage } from '../../../shared/page/page';
import { colourName } from '../drawing/colourNames';
import type { Timeline } from '../state/controller';
import { eventTitle } from '../state/eventName';
import { Flows } from './flows';
import { GapDetails } from './gapDetails';

export function EventDetails(props: { readonly timeline: Timeline; readonly event: EventRecord }) {
  const { timeline, event } = props;
  const { host } = usePage();
  return (
    <div class="event-details">
      <div class="details-head">
        <h2 class={event.primitive === '' ? 'details-title code' : 'details-title'}>{eventTitle(event)}</h2>
        <IconButton icon="copy" label={l10n.t('Copy Name')} onPress={() => host.copy(event.place.name)} />
      </div>
      {eventTitle(event) === event.place.name ? null : <p class="quiet code full-name">{event.place.name}</p>}
      <FindingsBelow findings={event.findings} icon="lightbulb" />
      <Facts facts={factsOf(event, timeline.state.trackOf(event.place.track))} />
      {event.gap === null ? null : <GapDetails timeline={timeline} gap={event.gap} key={event.place.event} />}
      <Frames frames={event.frames} />
      {timeline.selecting.asSelection() === null ? null : <Ways selection={timeline.selecting.asSelection()} />}
      <Flows timeline={timeline} title={l10n.t('Connected events')} flows={event.flows} />
      <Arguments event={event} />
    </div>
  );
}

function factsOf(event: EventRecord, track: TrackRecord | null): readonly (Fact | null)[] {
  const { place } = event;
  const text = (name: string, value: string | null): Fact | null => (value === null ? null : { name, text: value });
  return [
    quantityFact(l10n.t('start'), TIME, place.start_ps),
    quantityFact(l10n.t('duration'), TIME, place.duration_ps),
    quantityFact(l10n.t('self'), TIME, event.self_ps),
    text(l10n.t('track'), track?.name ?? null),
    text(l10n.t('step'), event.step === null ? null : count(event.step)),
    text(l10n.t('program'), event.program),
    text(l10n.t('program run'), event.run_id),
    text(l10n.t('category'), event.category),
    kindFact(event, track),
    text(l10n.t('shapes'), event.shapes),
    text(l10n.t('scope'), event.op_name),
  ];
}

/** Steps, runs and rows of overlap are of no kind; a scope is of that which took most of its time. */
function kindFact({ colour }: EventRecord, track: TrackRecord | null): Fact | null {
  switch (track?.kind) {
    case 'steps':
    case 'modules':
    case 'overlap':
      return null;
    case 'scopes':
      return colour === 'other' ? null : { name: l10n.t('mostly'), text: colourName(colour) };
    default:
      return { name: l10n.t('kind'), text: colourName(colour) };
  }
}

function Frames(props: { readonly frames: readonly FrameRecord[] }) {
  const { host } = usePage();
  if (props.frames.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{l10n.t('Source')}</h3>
      <ul class="frames">
        {props.frames.map(({ file, path, line, user, function: name }, place) => (
          <li key={place} class={user ? 'ellipsis' : 'ellipsis quiet'}>
            {file === null ? (
              <span>{`${path}:${String(line)}`}</span>
            ) : (
              <button
                type="button"
                class="link"
                title={`${file}:${String(line)}`}
                onClick={() => host.goToLineOf({ file, line })}
              >
                {`${path}:${String(line)}`}
              </button>
            )}{' '}
            <span class="quiet">{name}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Arguments(props: { readonly event: EventRecord }) {
  const { host } = usePage();
  const { arguments: given } = props.event;
  if (given.length === 0) {
    return null;
  }
  const asText = (): string => given.map(({ name, value }) => `${name}\t${value}`).join('\n');
  return (
    <>
      <h3>
        {l10n.t('Arguments')}
        <IconButton icon="copy" label={l10n.t('Copy Arguments')} onPress={() => host.copy(asText())} />
      </h3>
      <dl class="arguments">
        {given.map(({ name, value }, place) => (
          <div key={`${name} ${String(place)}`}>
            <dt class="quiet">{name}</dt>
            <dd class="code">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
