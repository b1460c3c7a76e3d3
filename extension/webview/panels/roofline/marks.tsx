// The marks of the chart beside words: in the legend and in the table.

import * as l10n from '@vscode/l10n';
import type { Bound } from './points';

const SHAPES: Readonly<Record<Bound, string>> = {
  compute: 'M11 6a5 5 0 1 1-10 0a5 5 0 0 1 10 0z',
  main: 'M1.6 1.6h8.8v8.8h-8.8z',
  other: 'M6 .5l5.5 9.5h-11z',
  unknown: 'M10.5 6a4.5 4.5 0 1 1-9 0a4.5 4.5 0 0 1 9 0z',
};

export function BoundMark(props: { readonly bound: Bound }) {
  return (
    <svg class={`bound-mark ${props.bound}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d={SHAPES[props.bound]} />
    </svg>
  );
}

/** What a mark stands for in the legend. */
export function boundMeaning(bound: Bound): string {
  return {
    compute: l10n.t('bound by compute'),
    main: l10n.t('bound by main memory'),
    other: l10n.t('bound by another memory'),
    unknown: l10n.t('bound not known'),
  }[bound];
}
