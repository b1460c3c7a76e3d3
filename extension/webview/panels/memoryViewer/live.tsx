// What is in memory at a position: its sums in the details pane. Its buffers are listed below the curve.

import * as l10n from '@vscode/l10n';
import type { LiveAtRecord } from '../../../src/protocol';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { byteSize, count, share } from '../../shared/text/format';
import { LineLink } from '../../shared/controls/lineLink';
import { Ways } from '../../shared/frame/ways';
import { opName } from '../../shared/op/opName';
import { BYTES } from '../../shared/text/quantities';
import { changeAt } from './curveData';
import type { PositionFocus } from './state';
import type { Viewer } from './viewer';

interface LiveProps {
  readonly viewer: Viewer;
  readonly listed: PositionFocus;
  readonly live: LiveAtRecord;
}

export function LiveFacts(props: LiveProps) {
  const { live } = props;
  const { record, mark } = props.viewer;
  const runs = props.listed.execution?.op ?? '';
  // Several ops may run at one position: what is known of its step is known of one of them.
  const isOfStep = runs === '' || runs === live.op;
  const title = isOfStep && live.op !== '' ? opName({ ...live, name: live.op }) : runs;
  const bytes = (name: string, amount: number): Fact => quantityFact(name, BYTES, amount, mark);
  return (
    <>
      <h2 class="details-title">{title || l10n.t('before all steps')}</h2>
      <p class="quiet">
        {isOfStep && live.primitive !== '' ? <code>{live.op} </code> : null}
        {runs === ''
          ? l10n.t('in memory at position {0}', count(live.position))
          : l10n.t('in memory while it runs, at program position {0}', count(live.position))}
      </p>
      {isOfStep ? (
        <p>
          <LineLink place={live} />
        </p>
      ) : null}
      <Facts
        facts={[
          bytes(l10n.t('in memory'), live.bytes),
          bytes(l10n.t('without padding'), live.unpadded_bytes),
          record.peak_bytes === null
            ? null
            : { name: l10n.t('of the peak'), text: share(live.bytes / Math.max(1, record.peak_bytes)) },
          changeFact(props),
          { name: l10n.t('buffers'), text: count(live.buffers.length) },
        ]}
      />
      <Ways
        selection={
          isOfStep && live.op_key !== null ? { kind: 'op', key: live.op_key, file: live.file, line: live.line } : null
        }
      />
    </>
  );
}

/** The change as the curve has it that the position was picked on; null at the first point, which has none before. */
function changeFact({ viewer: { record, mark }, listed, live }: LiveProps): Fact | null {
  if (listed.execution === null) {
    return live.position < 0
      ? null
      : { name: l10n.t('change from the position before'), text: `${mark}${signedBytes(live.change_bytes)}` };
  }
  const { point } = listed.execution;
  const change_bytes = changeAt(record.execution?.bytes ?? [], point);
  return change_bytes === null
    ? null
    : {
        name: l10n.t('change from the op before'),
        text: `${mark}${signedBytes(change_bytes)}`,
        exact: record.execution?.ops[point - 1] ?? '',
      };
}

/** A change with its sign: `+12 MiB`, `−3 MiB`, `0 B`. */
export function signedBytes(bytes: number): string {
  return bytes === 0 ? byteSize(0) : `${bytes > 0 ? '+' : '−'}${byteSize(Math.abs(bytes))}`;
}
