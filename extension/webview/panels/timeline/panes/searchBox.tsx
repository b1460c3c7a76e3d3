// The box of the search: text or expression, names or arguments too, how many hits, and the way through them.

import { sentences } from '../../../shared/findings/findings';
import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import type { FoundRecord } from '../../../../src/protocol';
import { useEffect, useState } from 'preact/hooks';
import { IconButton, SearchField } from '../../../shared/controls/elements';
import { count } from '../../../shared/text/format';
import { PATIENCE_MS } from '../../../shared/page/states';
import type { Timeline } from '../state/controller';
import type { Searching } from '../tools/searching';

export function SearchBox(props: {
  readonly timeline: Timeline;
  readonly focusRef: RefObject<{ readonly focus: () => void } | null>;
  readonly onLeave: () => void;
}) {
  const { searching, state } = props.timeline;
  const wish = searching.wish.value;
  const found = state.found.value;
  const hasHits = (found?.count ?? 0) > 0;
  return (
    <div class="search-box" role="search">
      <SearchField
        label={l10n.t('Search events')}
        value={wish.text}
        onChange={(text) => searching.type({ ...wish, text })}
        onLeave={props.onLeave}
        onStep={(by) => void searching.step(by)}
        focusRef={props.focusRef}
      />
      <IconButton
        icon="regex"
        label={l10n.t('Regular Expression')}
        pressed={wish.regex}
        onPress={() => searching.type({ ...wish, regex: !wish.regex })}
      />
      <IconButton
        icon="symbol-parameter"
        label={l10n.t('Search in Arguments Too')}
        pressed={wish.arguments}
        onPress={() => searching.type({ ...wish, arguments: !wish.arguments })}
      />
      {state.matcher.value === null ? null : (
        <>
          <Hits timeline={props.timeline} />
          {hasHits ? (
            <>
              <IconButton icon="arrow-up" label={l10n.t('Previous Hit')} onPress={() => void searching.step(-1)} />
              <IconButton icon="arrow-down" label={l10n.t('Next Hit')} onPress={() => void searching.step(1)} />
            </>
          ) : null}
          <IconButton
            icon="close"
            label={searching.isOfOps.value ? l10n.t('Highlight Nothing') : l10n.t('Clear Search')}
            onPress={() => searching.clear()}
          />
        </>
      )}
    </div>
  );
}

function Hits(props: { readonly timeline: Timeline }) {
  const { searching, state } = props.timeline;
  const found = state.found.value;
  if (searching.failure.value !== null) {
    return (
      <p class="search-failure" role="alert">
        {searching.failure.value}
      </p>
    );
  }
  const isWhole = found !== null && found.searched_ratio >= 1;
  return (
    <span class="hits ellipsis" role="status" title={sentences(found?.findings ?? []).join(' ')}>
      {found === null || (found.count === 0 && !isWhole)
        ? ''
        : hitsText(found.count, searching.ordinal.value, found.kind)}
      {found === null || found.findings.length === 0 ? '' : ` (${l10n.t('partial')})`}
      {isWhole ? null : <Progress searching={searching} searched_ratio={found?.searched_ratio ?? 0} />}
    </span>
  );
}

/** How far it is, with a way out, or on where it was left; nothing for as long as one would not wait. */
function Progress(props: { readonly searching: Searching; readonly searched_ratio: number }) {
  const { searching, searched_ratio } = props;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) {
    return null;
  }
  const percent = `${String(Math.floor(searched_ratio * 100))} %`;
  return searching.isAsking.value ? (
    <>
      {' '}
      {l10n.t('searching, {0}', percent)}{' '}
      <button type="button" class="link" onClick={() => searching.cancel()}>
        {l10n.t('Cancel')}
      </button>
    </>
  ) : (
    <>
      {' '}
      {l10n.t('{0} searched', percent)}{' '}
      <button type="button" class="link" onClick={() => void searching.goOn()}>
        {l10n.t('Go On')}
      </button>
    </>
  );
}

/** How many there are, and which one is gone to. */
export function hitsText(hits: number, ordinal: number | null, kind: FoundRecord['kind']): string {
  const all = count(hits);
  const at = count((ordinal ?? 0) + 1);
  const [none, one, many, place] = {
    events: [l10n.t('no hits'), l10n.t('1 hit'), l10n.t('{0} hits', all), l10n.t('{0} of {1}', at, all)],
    executions: [
      l10n.t('no executions'),
      l10n.t('1 execution'),
      l10n.t('{0} executions', all),
      l10n.t('execution {0} of {1}', at, all),
    ],
    gaps: [l10n.t('no gaps'), l10n.t('1 gap'), l10n.t('{0} gaps', all), l10n.t('gap {0} of {1}', at, all)],
  }[kind] as [string, string, string, string];
  if (hits === 0) {
    return none;
  }
  return ordinal !== null ? place : hits === 1 ? one : many;
}
