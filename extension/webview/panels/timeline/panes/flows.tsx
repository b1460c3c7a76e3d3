// The events that one led to or came from, as links to them.

import * as l10n from '@vscode/l10n';
import type { FlowRecord } from '../../../../src/protocol';
import { Icon } from '../../../shared/controls/elements';
import { fullOpName } from '../../../shared/op/opName';
import type { Timeline } from '../state/controller';
import { namedEvent, wholeName } from '../state/eventName';

export function Flows(props: {
  readonly timeline: Timeline;
  readonly title: string;
  readonly flows: readonly FlowRecord[];
  /** What is said of each, for those who do not see its arrow; else that it led there, or came from there. */
  readonly meaning?: (flow: FlowRecord) => string;
}) {
  const { timeline, title, flows, meaning = meaningOf } = props;
  if (flows.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{title}</h3>
      <ul class="flows">
        {flows.map((flow) => (
          <li key={`${flow.place.track} ${String(flow.place.event)} ${String(flow.outgoing)}`}>
            <Icon name={flow.outgoing ? 'arrow-right' : 'arrow-left'} label={meaning(flow)} />
            <button
              type="button"
              class={`link ellipsis ${flow.op === null ? 'code' : ''}`}
              title={wholeName(flow, flow.place.name)}
              onClick={() => void timeline.selecting.place(flow.place)}
            >
              {fullOpName(namedEvent(flow))}
            </button>
            <span class="quiet ellipsis">{timeline.state.trackOf(flow.place.track)?.name ?? ''}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function meaningOf({ outgoing }: FlowRecord): string {
  return outgoing ? l10n.t('led to') : l10n.t('came from');
}
