// What devices waited for a line: why, since which wait for a result, and what other threads did meanwhile.

import * as l10n from '@vscode/l10n';
import type { Finding, LineRecord, LinesRecord, PlaceRecord } from '../../../src/protocol';
import { Swatch } from '../../shared/charts/cells';
import { FindingsBelow } from '../../shared/findings/findings';
import { PlainTable } from '../../shared/frame/plainTable';
import { stepsAndDevices } from '../../shared/op/extent';
import { lineText } from '../../shared/op/words';
import { duration, exactDuration, share } from '../../shared/text/format';
import { waitingName, waitingParts } from '../../shared/text/waiting';
import type { HotRow } from './rows';

interface WaitingProps {
  readonly row: HotRow;
  readonly record: LinesRecord;
  readonly onGoToPlace: (place: PlaceRecord) => void;
}

export function Waiting(props: WaitingProps) {
  const { row, record } = props;
  const line = row.record;
  if (line === null || line.waiting_ps === 0) {
    return null;
  }
  const hasSteps = record.extent.steps > 0;
  return (
    <section>
      <h3>{line.basis === 'estimated' ? l10n.t('≈ Devices wait for it') : l10n.t('Devices wait for it')}</h3>
      <PlainTable
        titles={[
          l10n.t('While the host was in'),
          hasSteps ? l10n.t('Per step') : l10n.t('Time'),
          l10n.t('Of waiting'),
          hasSteps ? l10n.t('Of step') : l10n.t('Of all'),
        ]}
        rows={waitingParts(line.waiting_classes).map(([name, time_ps]) => ({
          key: name,
          name: (
            <>
              <Swatch hue={`waiting-${name}`} />
              {waitingName(name)}
            </>
          ),
          cells: [
            { text: duration(time_ps / stepsAndDevices(record.extent)), exact: exactDuration(time_ps) },
            { text: share(time_ps / line.waiting_ps) },
            { text: share(time_ps / Math.max(1, record.wall?.wall_ps ?? 0)) },
          ],
        }))}
      />
      {line.basis === 'estimated' ? (
        <>
          <p class="quiet">{l10n.t('Estimated within the borders that the trace has.')}</p>
          <FindingsBelow findings={record.findings.filter(isOfSamples)} />
        </>
      ) : null}
      <Exposed {...props} line={line} />
      <Meanwhile {...props} line={line} />
    </section>
  );
}

/** What samples are good for. */
function isOfSamples({ code }: Finding): boolean {
  return code === 'host-lines-sampled' || code === 'steps-short-for-samples';
}

function Exposed({ record, line, onGoToPlace }: WaitingProps & { readonly line: LineRecord }) {
  // That the line itself did goes without saying.
  const others = line.exposed_by.filter((by) => by.path !== line.path || by.line !== line.line);
  return (
    <>
      {others.map((by) => {
        const sync = record.syncs.find((each) => each.path === by.path && each.line === by.line);
        return (
          <p key={`${by.path ?? ''}:${String(by.line)}`}>
            {l10n.t('{0} of it comes after the wait for a result at', share(by.waiting_ps / line.waiting_ps))}{' '}
            <PlaceLink place={by} onGoToPlace={onGoToPlace} />
            {sync === undefined ? null : <span class="quiet"> {bound(sync.at_best_step_ps, sync.shares_cores)}</span>}
          </p>
        );
      })}
    </>
  );
}

function bound(step_ps: number, sharesCores: boolean): string {
  return sharesCores
    ? l10n.t('(without that wait a step takes {0} at best, more as host and device share cores)', duration(step_ps))
    : l10n.t('(without that wait a step takes {0} at best)', duration(step_ps));
}

function Meanwhile({ line, onGoToPlace }: WaitingProps & { readonly line: LineRecord }) {
  return line.meanwhile.length === 0 ? null : (
    <>
      <h3>{l10n.t('Meanwhile in other threads')}</h3>
      <PlainTable
        titles={[l10n.t('Line'), l10n.t('Thread'), l10n.t('Of the time')]}
        rows={line.meanwhile.map((each) => ({
          key: `${each.thread} ${each.path ?? ''}:${String(each.line)}`,
          name: <PlaceLink place={each} onGoToPlace={onGoToPlace} />,
          cells: [
            { text: each.thread === '' ? l10n.t('(unnamed)') : each.thread, exact: each.function },
            { text: share(each.share_ratio) },
          ],
        }))}
      />
    </>
  );
}

function PlaceLink(props: { readonly place: PlaceRecord; readonly onGoToPlace: (place: PlaceRecord) => void }) {
  const { place } = props;
  return (
    <button type="button" class="link" onClick={() => props.onGoToPlace(place)}>
      {lineText(place.path, place.line)}
    </button>
  );
}
