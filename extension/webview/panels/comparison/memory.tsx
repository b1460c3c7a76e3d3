// The memory of both sides over each other: of the program that needs most, over what runs in it.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { ComparedMemory, ComparedCurve } from '../../../src/protocol';
import { useDetails } from '../../shared/page/details';
import { Failed, Loading } from '../../shared/page/states';
import { greatest } from '../../shared/table/greatest';
import { byteSize, dotted } from '../../shared/text/format';
import { BYTES } from '../../shared/text/quantities';
import { BothCurves, type Values } from './bothCurves';

/** Curves are drawn at so many places, however much runs: programs of other lengths are laid over each other. */
const PLACES = 1000;

export function MemoryCurves() {
  const { value, failure, fetchAgain } = useDetails('comparedMemory', {});
  if (failure !== null) {
    return <Failed sentence={failure} onTryAgain={fetchAgain} />;
  }
  if (value === null) {
    return <Loading what={l10n.t('Reading the memory of both…')} progress={null} />;
  }
  if (value.before === null && value.after === null) {
    return (
      <div class="nothing-found">
        <p>{l10n.t('Neither run holds a plan of memory: what a program keeps is in its HLO, which is not there.')}</p>
      </div>
    );
  }
  return <Curves memory={value} />;
}

function Curves({ memory: { before, after } }: { readonly memory: ComparedMemory }) {
  const places = useMemo(() => Array.from({ length: PLACES + 1 }, (_, at) => (at / PLACES) * 100), []);
  const curves = useMemo(() => [laidOut(before), laidOut(after)] as const, [before, after]);
  const peak = (curve: ComparedCurve | null): number | null => curve?.peak_bytes ?? null;
  const [earlier, later] = [peak(before), peak(after)];
  return (
    <BothCurves
      name="memory"
      title={l10n.t('Memory of the program that needs most')}
      axis={l10n.t('% of the program')}
      places={places}
      placeText={(place) => String(Math.round(place))}
      quantity={BYTES}
      before={curves[0]}
      after={curves[1]}
      isStepped
      levels={[
        earlier === null
          ? null
          : { kind: 'level', key: 'before', value: earlier, text: l10n.t('peak before'), isQuiet: true },
        later === null
          ? null
          : { kind: 'level', key: 'after', value: later, text: l10n.t('peak after'), isAbove: true, isQuiet: true },
      ]}
      notes={[note(before), note(after)]}
    />
  );
}

/** The greatest of what each place stands for, so that the peak is there. */
export function laidOut(curve: ComparedCurve | null): Values {
  const sizes = curve?.bytes ?? [];
  return Array.from({ length: PLACES + 1 }, (_, at) => {
    const from = Math.min(sizes.length - 1, Math.floor((at / (PLACES + 1)) * sizes.length));
    const to = Math.max(from + 1, Math.floor(((at + 1) / (PLACES + 1)) * sizes.length));
    const part = sizes.slice(Math.max(0, from), to);
    return part.length === 0 ? null : greatest(part, (size) => size);
  });
}

function note(curve: ComparedCurve | null): string {
  return curve === null
    ? l10n.t('not known')
    : dotted([curve.program, curve.peak_bytes === null ? null : l10n.t('peak {0}', byteSize(curve.peak_bytes))]);
}
