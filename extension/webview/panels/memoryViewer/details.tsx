// The details pane of the Memory Viewer: the card of a buffer, what is alive at a position, or what can be asked.

import * as l10n from '@vscode/l10n';
import { type Fact, Facts, quantityFact } from '../../shared/frame/facts';
import { byteSize } from '../../shared/text/format';
import { BYTES, exactBytes } from '../../shared/text/quantities';
import { BufferCard } from './card';
import { capacityMeaning } from './buffers';
import { LiveFacts } from './live';
import type { Viewer } from './viewer';

export function Details({ viewer }: { readonly viewer: Viewer }) {
  const { listed, live } = viewer;
  const focused = viewer.hovered ?? viewer.pinned;
  if (focused !== null) {
    return <BufferCard viewer={viewer} focused={focused} />;
  }
  if (listed !== null) {
    return live.value === null ? null : <LiveFacts viewer={viewer} listed={listed} live={live.value} />;
  }
  return <Summary viewer={viewer} />;
}

function Summary({ viewer }: { readonly viewer: Viewer }) {
  const { record, missing, mark } = viewer;
  const { totals, peak_position: peak } = record;
  const bytes = (name: string, amount: number, meaning = ''): Fact => ({
    ...quantityFact(name, BYTES, amount, mark),
    exact: [exactBytes(amount), meaning].join('\n').trim(),
  });
  return (
    <>
      <h2 class="details-title code">{record.module ?? ''}</h2>
      <p class="quiet">{l10n.t('in {0}', record.memory_space_name)}</p>
      {missing === null ? null : (
        <p class="row-note">{l10n.t('No buffer that is in memory at the peak is of {0}.', missing)}</p>
      )}
      <p class="quiet memory-hint">
        {l10n.t(
          'Point at a buffer to see when it lives; a click keeps its card. A click on the curve lists what is alive there.',
        )}
      </p>
      {peak === null ? null : (
        <p class="ways">
          <button type="button" class="link" onClick={() => viewer.list(peak)}>
            {l10n.t('What Is Alive at the Peak')}
          </button>
        </p>
      )}
      {totals === null ? null : (
        <section>
          <h3>{l10n.t('Allocations')}</h3>
          <Facts
            facts={[
              bytes(l10n.t('all'), totals.allocated_bytes, l10n.t('But thread-local ones')),
              bytes(l10n.t('there throughout'), totals.indefinite_bytes, l10n.t('Arguments, outputs and constants')),
              bytes(l10n.t('arguments'), totals.argument_bytes),
              bytes(l10n.t('outputs'), totals.output_bytes),
              bytes(l10n.t('outputs in arguments'), totals.alias_bytes),
              bytes(l10n.t('constants'), totals.constant_bytes),
              bytes(l10n.t('temporaries'), totals.temporary_bytes),
              bytes(l10n.t('temporaries at the peak'), totals.temporary_without_fragmentation_bytes),
              bytes(l10n.t('thread-local'), totals.thread_local_bytes),
              totals.stack_bytes === null ? null : bytes(l10n.t('stack of one op'), totals.stack_bytes),
              totals.capacity_bytes === null
                ? { name: l10n.t('capacity'), text: l10n.t('unknown') }
                : {
                    name: l10n.t('capacity'),
                    text: byteSize(totals.capacity_bytes),
                    exact: [exactBytes(totals.capacity_bytes), capacityMeaning(totals.capacity_basis)].join('\n'),
                  },
            ]}
          />
        </section>
      )}
    </>
  );
}
