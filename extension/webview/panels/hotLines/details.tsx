// The details pane of Hot Lines: the selected line's facts and ops, or the steps where nothing is selected.

import * as l10n from '@vscode/l10n';
import type { Finding, LineOpRecord, LineRecord, LinesRecord, PlaceRecord } from '../../../src/protocol';
import { IconButton } from '../../shared/controls/elements';
import { FindingsBelow } from '../../shared/findings/findings';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { PlainTable } from '../../shared/frame/plainTable';
import { opsText, stepsAndDevices, wholeText } from '../../shared/op/extent';
import { PhaseName } from '../../shared/op/phaseName';
import { lineText } from '../../shared/op/words';
import { count, duration, exactDuration, timeShare } from '../../shared/text/format';
import { usePage } from '../../shared/page/page';
import { TIME } from '../../shared/text/quantities';
import { PHASES } from '../../shared/theme';
import { factsAcrossDevices } from './acrossDevices';
import { estimateMark, placeText, stateText } from './columns';
import type { HotRow } from './rows';
import { Waiting } from './waiting';
import { isOfThreads } from './split';
import { led } from '../../shared/text/basis';

interface RowDetailsProps {
  readonly row: HotRow;
  readonly record: LinesRecord;
  /** Goes to a line that an op is shared with. */
  readonly onGoToPlace: (place: PlaceRecord) => void;
}

export function RowDetails(props: RowDetailsProps) {
  const { row, record } = props;
  const { host } = usePage();
  const state = stateText(row);
  return (
    <>
      <h2 class="details-title">
        {row.file === null ? (
          placeText(row)
        ) : (
          <button type="button" class="link" onClick={() => host.goToLineOf(row)}>
            {placeText(row)}
          </button>
        )}
        {row.function === '' ? null : <span class="quiet"> {row.function}</span>}
      </h2>
      {row.source === null ? null : <pre class="code source">{row.source.trim()}</pre>}
      {state === '' ? null : (
        <p class="stale-note">{l10n.t('The line is {0}: the numbers are of the line as it was.', state)}</p>
      )}
      <LineFacts row={row} record={record} />
      <Waiting row={row} record={record} onGoToPlace={props.onGoToPlace} />
      <Phases row={row} record={record} />
      {row.ops.length === 0 ? null : <Ops {...props} />}
    </>
  );
}

/** How many of the steps have most of what varies; null where it is spread over more of them. */
function fewStepsFact(
  { few_steps: few, few_steps_each_ps: each_ps }: LineRecord,
  { extent }: LinesRecord,
): Fact | null {
  return few === null || each_ps === null
    ? null
    : {
        name: l10n.t('most of it'),
        text:
          few === 1
            ? l10n.t('in 1 of {0} steps, {1}', count(extent.steps), duration(each_ps))
            : l10n.t('in {0} of {1} steps, {2} each', count(few), count(extent.steps), duration(each_ps)),
        exact: exactDuration(each_ps),
      };
}

function LineFacts(props: { readonly row: HotRow; readonly record: LinesRecord }) {
  const { row, record } = props;
  const spread_ps = row.record?.per_step_spread_ps ?? null;
  const executions = row.record?.executions_per_step ?? null;
  const hasSteps = record.extent.steps > 0;
  const time_ps = row.per_step_ps ?? row.wall_ps;
  const inclusive_ps = hasSteps ? row.inclusive_per_step_ps : row.inclusive_wall_ps;
  const mark = estimateMark(row);
  return (
    <>
      <Facts
        facts={[
          // Wall clock first, and what it is of.
          {
            name: wholeText(record.extent),
            text: led(mark, timeShare(row.share_ratio)),
            exact: exactDuration(row.wall_ps),
          },
          {
            name: hasSteps ? l10n.t('per step') : l10n.t('time'),
            text: spread_ps === null ? duration(time_ps) : `${duration(time_ps)} ± ${duration(spread_ps)}`,
            exact: exactDuration(time_ps),
          },
          row.record === null ? null : fewStepsFact(row.record, record),
          row.waiting_ps === 0 || row.waiting_ps === row.wall_ps
            ? null
            : quantityFact(l10n.t('of it waiting'), TIME, eachStep(record, row.waiting_ps)),
          ...(row.record === null ? [] : factsAcrossDevices(row.record)),
          inclusive_ps === null || row.inclusive_share_ratio === null
            ? null
            : {
                name: hasSteps ? l10n.t('inclusive per step') : l10n.t('inclusive time'),
                text: l10n.t('{0} ({1})', duration(inclusive_ps), timeShare(row.inclusive_share_ratio)),
                exact: exactDuration(inclusive_ps),
              },
          row.self_ps === null || isWaitingAlone(row) ? null : opTimeFact(record, row.self_ps),
          row.self_ps === null || isWaitingAlone(row)
            ? null
            : {
                name: l10n.t('of op time'),
                text: led(mark, timeShare(row.self_ps / Math.max(1, record.op_time_ps))),
                exact: exactDuration(row.self_ps),
              },
          executions === null || isWaitingAlone(row)
            ? null
            : { name: l10n.t('executions per step'), text: count(executions), exact: String(executions) },
        ]}
      />
      {row.kind === 'idle' ? (
        <p class="row-note quiet">
          {l10n.t('Here no op ran on the device, and it is not known where the host stood.')}
        </p>
      ) : null}
      {row.self_ps !== null && isOfThreads(row.self_ps, row.wall_ps - row.waiting_ps) ? (
        <p class="row-note quiet">
          {l10n.t('Op time adds up the threads that worked at once, so it can exceed the wall clock.')}
        </p>
      ) : null}
    </>
  );
}

function opTimeFact(record: LinesRecord, self_ps: number): Fact {
  return quantityFact(
    record.extent.steps > 0 ? l10n.t('op time per step') : l10n.t('op time'),
    TIME,
    eachStep(record, self_ps),
  );
}

/** Whether no op of it ran: devices waited for it, and that is all. */
function isWaitingAlone({ waiting_ps, self_ps }: HotRow): boolean {
  return waiting_ps > 0 && !self_ps;
}

/** Per step and device where there are steps; else all of it. */
export function eachStep({ extent }: LinesRecord, time_ps: number): number {
  return time_ps / stepsAndDevices(extent);
}

function Phases(props: { readonly row: HotRow; readonly record: LinesRecord }) {
  const { row, record } = props;
  const { phases } = row;
  if (phases === null || isWaitingAlone(row)) {
    return null;
  }
  return (
    <section>
      <h3>{l10n.t('Op time by phase')}</h3>
      <PlainTable
        titles={[
          l10n.t('Phase'),
          record.extent.steps > 0 ? l10n.t('Per step') : l10n.t('Time'),
          row.kind === 'function' ? l10n.t('Of function') : l10n.t('Of line'),
          l10n.t('Of all'),
        ]}
        rows={PHASES.filter((phase) => phases[phase] > 0).map((phase) => ({
          key: phase,
          name: <PhaseName phase={phase} />,
          cells: [
            { text: duration(eachStep(record, phases[phase])), exact: exactDuration(phases[phase]) },
            { text: timeShare(phases[phase] / Math.max(1, row.self_ps ?? 0)) },
            { text: timeShare(phases[phase] / Math.max(1, record.op_time_ps)) },
          ],
        }))}
      />
    </section>
  );
}

function Ops(props: RowDetailsProps) {
  const { row } = props;
  const { host } = usePage();
  const { file, line } = row;
  const showInProfile = (op: LineOpRecord): void =>
    host.showIn('opProfile', {
      kind: 'op',
      key: op.key,
      ...(file === null ? { file: null, line: null } : { file, line }),
    });
  return (
    <section>
      <h3>{opsText(row.ops.length)}</h3>
      <ul class="ops">
        {row.ops.map((op) => (
          <li key={op.key}>
            <div class="op-head">
              <span class="end share-text" title={exactDuration(op.self_ps)}>
                {op.has_estimate
                  ? led(op.shared || op.inherited ? '≈ ' : '', timeShare(op.self_ps / Math.max(1, row.self_ps ?? 0)))
                  : l10n.t('no estimate')}
              </span>
              <code class="ellipsis" title={op.scope}>
                {op.primitive === '' ? op.category : op.primitive}
              </code>
              <span class="quiet op-name ellipsis" title={op.name}>
                {op.name}
              </span>
              <span
                class="end op-time"
                title={props.record.extent.steps > 0 ? l10n.t('Op time per step') : l10n.t('Op time')}
              >
                {duration(eachStep(props.record, op.self_ps))}
              </span>
              <IconButton icon="list-tree" label={l10n.t('Show in Op Profile')} onPress={() => showInProfile(op)} />
            </div>
            <OpShapes op={op} />
            <OpNotes op={op} onGoToPlace={props.onGoToPlace} />
          </li>
        ))}
      </ul>
      {row.ops.some(({ shared }) => shared) ? (
        <FindingsBelow findings={props.record.findings.filter(isOfShares)} />
      ) : null}
    </section>
  );
}

/** How the time of an op is divided among its lines. */
function isOfShares({ code }: Finding): boolean {
  return code === 'fusions-divided';
}

function OpShapes(props: { readonly op: LineOpRecord }) {
  const { shape, operand_shapes: operands } = props.op;
  if (shape === '') {
    return null;
  }
  return <p class="code quiet op-shapes">{operands.length === 0 ? shape : `${shape} ← ${operands.join(', ')}`}</p>;
}

function OpNotes(props: { readonly op: LineOpRecord; readonly onGoToPlace: (place: PlaceRecord) => void }) {
  const { op } = props;
  return (
    <>
      {op.shared_with.length === 0 ? null : (
        <p class="quiet">
          {l10n.t('shared with')}{' '}
          {op.shared_with.map((place, position) => (
            <span key={`${place.path ?? ''}:${String(place.line)}`}>
              {position > 0 ? ', ' : ''}
              <button type="button" class="link" onClick={() => props.onGoToPlace(place)}>
                {lineText(place.path, place.line)}
              </button>
            </span>
          ))}
        </p>
      )}
      {op.inherited ? (
        <p class="quiet">{l10n.t('has no source of its own: counted where its neighbours are')}</p>
      ) : null}
    </>
  );
}
