// The card of a buffer: what it is, how large, why, and where it is from.

import * as l10n from '@vscode/l10n';
import type { MemoryBuffer } from '../../../src/protocol';
import { useDetails } from '../../shared/page/details';
import { Icon, IconButton } from '../../shared/controls/elements';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { byteSize, count } from '../../shared/text/format';
import { fullOpName } from '../../shared/op/opName';
import { LineLink } from '../../shared/controls/lineLink';
import { functionText } from '../../shared/op/words';
import { BYTES, exactBytes, FACTOR, quantityText, UNKNOWN } from '../../shared/text/quantities';
import { Ways } from '../../shared/frame/ways';
import { bufferName, expansionOf, extraBytes, isGroup, selectionOf, splitShape } from './buffers';
import { categoryName } from './categories';
import { CategoryMark, lifetimeText, RESIDUAL_ICON } from './columns';
import { type Curve, opsAlive } from './curveData';
import type { FocusedBuffer } from './bufferIndex';
import type { Viewer } from './viewer';

/** Of a buffer whose card stays, what is not known of it yet is asked for. */
export function BufferCard({ viewer, focused }: { readonly viewer: Viewer; readonly focused: FocusedBuffer }) {
  const { record, mark, curve } = viewer;
  const isPinned = focused.id === viewer.pinned?.id;
  const asks = focused.buffer === null && isPinned;
  const live = useDetails(
    'memoryAt',
    asks ? { position: focused.start, program: record.program_id, memory_space: record.memory_space } : null,
  );
  const buffer = focused.buffer ?? live.value?.buffers.find(({ id }) => id === focused.id) ?? null;
  const bytes = (name: string, amount: number): Fact => quantityFact(name, BYTES, amount, mark);
  return (
    <div class="buffer-card" aria-busy={asks && buffer === null && live.failure === null}>
      <div class="card-title">
        <h2 class="details-title">{buffer === null ? focused.name : bufferName(buffer, record.small_bytes)}</h2>
        {isPinned ? (
          <IconButton icon="close" label={l10n.t('Let Go of This Buffer')} onPress={() => viewer.keep(null)} />
        ) : null}
      </div>
      <p class="quiet">
        <CategoryMark category={focused.category} />
        {categoryName(focused.category)}
        {(buffer?.primitive ?? '') === '' ? null : <code> {focused.name}</code>}
        {buffer === null || buffer.opcode === '' || buffer.opcode === focused.category ? '' : ` · ${buffer.opcode}`}
      </p>
      {buffer === null ? null : (
        <p>
          <LineLink place={buffer} />
          {(buffer.function ?? '') === '' ? null : <span class="quiet"> {functionText(buffer.function ?? '')}</span>}
        </p>
      )}
      {buffer?.is_residual === true ? (
        <p class="row-note">
          <Icon name={RESIDUAL_ICON} />{' '}
          {l10n.t('Kept from the forward pass, which makes it, for the backward pass, which reads it.')}
        </p>
      ) : null}
      {live.failure === null ? null : (
        <p class="row-note">
          <Icon name="error" /> {live.failure}
        </p>
      )}
      <Facts
        facts={[
          { name: l10n.t('category'), text: categoryName(focused.category) },
          bytes(l10n.t('size'), focused.bytes),
          ...(buffer === null
            ? []
            : [
                bytes(l10n.t('unpadded size'), buffer.unpadded_bytes),
                {
                  name: l10n.t('expansion'),
                  text: quantityText(FACTOR, expansionOf(buffer)),
                  exact: l10n.t('Size over unpadded size'),
                },
                bytes(l10n.t('extra memory'), extraBytes(buffer)),
              ]),
          ...lifetimeFacts(curve, focused),
          buffer === null ? null : { name: l10n.t('allocation type'), text: buffer.allocation_kind || UNKNOWN },
          buffer === null || buffer.allocation === null
            ? null
            : {
                name: l10n.t('allocation'),
                text:
                  buffer.offset_bytes === null
                    ? count(buffer.allocation)
                    : l10n.t('{0} at {1}', count(buffer.allocation), byteSize(buffer.offset_bytes)),
                exact: buffer.offset_bytes === null ? '' : exactBytes(buffer.offset_bytes),
              },
        ]}
      />
      {buffer === null ? null : <Texts buffer={buffer} />}
      <Ways selection={buffer === null ? null : selectionOf(buffer)}>
        <button type="button" class="link" onClick={() => viewer.list(focused.start)}>
          {l10n.t('What Is Alive at Its Start')}
        </button>
      </Ways>
    </div>
  );
}

function lifetimeFacts(curve: Curve, focused: FocusedBuffer): readonly Fact[] {
  const exact = l10n.t('Positions from its start to its end');
  if (curve.kind === 'program') {
    return [{ name: l10n.t('lifetime'), text: lifetimeText(focused), exact }];
  }
  const ops = opsAlive(curve, focused);
  return [
    {
      name: l10n.t('lifetime'),
      text: ops === null ? l10n.t('no op runs in it') : l10n.t('ops {0}', lifetimeText(ops)),
      exact: l10n.t('Ops in the order of execution, from the first in its lifetime to the last'),
    },
    { name: l10n.t('program positions'), text: lifetimeText(focused), exact },
  ];
}

/** What may be long: shape, layout, and the framework's path of the op. */
function Texts(props: { readonly buffer: MemoryBuffer }) {
  const { buffer } = props;
  const { shape, layout } = splitShape(buffer.shape);
  const texts = [
    [l10n.t('shape'), shape],
    [l10n.t('layout'), layout],
    [l10n.t('framework op'), buffer.op_name],
    ...(buffer.last_op === null ? [] : [[l10n.t('last read by'), lastRead(buffer)] as const]),
  ] as const;
  return isGroup(buffer) ? null : (
    <dl class="long-facts">
      {texts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="code">{text === '' ? UNKNOWN : text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The op that reads a buffer last. */
function lastRead({ last_op, last_primitive, last_path, last_line }: MemoryBuffer): string {
  return fullOpName({ name: last_op ?? '', primitive: last_primitive, path: last_path, line: last_line, phase: null });
}
