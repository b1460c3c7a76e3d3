// Why a device was idle: on which lines the host was meanwhile and with what, what exposed it, and what ended it.

import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { FramePlace, GapPart, GapRecord } from '../../../../src/protocol';
import { Swatch } from '../../../shared/charts/cells';
import { PlainTable } from '../../../shared/frame/plainTable';
import { lineText } from '../../../shared/op/words';
import { usePage } from '../../../shared/page/page';
import { count, duration, exactDuration, share } from '../../../shared/text/format';
import { waitingName } from '../../../shared/text/waiting';
import type { Timeline } from '../state/controller';
import { Flows } from './flows';

/** Parts that are listed until one asks for the rest. */
const FIRST_PARTS = 6;

export function GapDetails(props: { readonly timeline: Timeline; readonly gap: GapRecord }) {
  const { gap, timeline } = props;
  const [isWhole, setWhole] = useState(false);
  const whole_ps = gap.parts.reduce((sum, { time_ps }) => sum + time_ps, 0);
  const shown = isWhole ? gap.parts : gap.parts.slice(0, FIRST_PARTS);
  const rest = gap.parts.slice(shown.length);
  const ends = [gap.ended_by, gap.launched_by].filter((flow) => flow !== null);
  return (
    <section class="gap">
      <PlainTable
        titles={[l10n.t('While the host was in'), l10n.t('Time'), l10n.t('Of the gap')]}
        rows={shown.map((part, place) => ({
          key: String(place),
          name: <Part part={part} />,
          cells: [
            { text: timeText(part), exact: exactDuration(part.time_ps) },
            { text: share(part.time_ps / Math.max(1, whole_ps)) },
          ],
        }))}
      />
      {rest.length === 0 ? null : (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {rest.length === 1 ? l10n.t('1 more') : l10n.t('{0} more', count(rest.length))}
        </button>
      )}
      {gap.parts.some(({ basis }) => basis === 'estimated') ? (
        <p class="quiet">{l10n.t('Estimated within the borders that the trace has.')}</p>
      ) : null}
      {gap.exposed_by === null ? null : (
        <p>
          {l10n.t('Exposed by the wait for a result at')} <PlaceLink place={gap.exposed_by} />
        </p>
      )}
      <Flows
        timeline={timeline}
        title={l10n.t('What ended it')}
        flows={ends}
        meaning={({ outgoing }) => (outgoing ? l10n.t('ended by') : l10n.t('launched in'))}
      />
    </section>
  );
}

/** What is estimated is marked, as everywhere. */
function timeText({ time_ps, basis }: GapPart): string {
  return basis === 'estimated' ? `≈ ${duration(time_ps)}` : duration(time_ps);
}

function Part({ part }: { readonly part: GapPart }) {
  return (
    <>
      <Swatch hue={`waiting-${part.waiting_class}`} />
      {waitingName(part.waiting_class)}
      {part.place === null ? null : (
        <>
          {' '}
          <PlaceLink place={part.place} />
        </>
      )}
    </>
  );
}

function PlaceLink({ place }: { readonly place: FramePlace }) {
  const { host } = usePage();
  const text = lineText(place.path, place.line);
  return place.file === null ? (
    <span title={place.function}>{text}</span>
  ) : (
    <button type="button" class="link" title={place.function} onClick={() => host.goToLineOf(place)}>
      {text}
    </button>
  );
}
