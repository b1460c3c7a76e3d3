// The columns of the Op Profile.

import * as l10n from '@vscode/l10n';
import { count, duration, exactDuration, exactFlops, flops, share } from '../../shared/text/format';
import { boundByText, lineText } from '../../shared/op/words';
import { UNKNOWN } from '../../shared/text/quantities';
import type { Column } from '../../shared/table/columns';
import { utilisationColumn } from '../../shared/op/utilisation';
import type { ProfileNode } from './tree';

export const TIME_COLUMN = 'share';
export const WASTED_COLUMN = 'wasted';

export function profileColumns(options: {
  readonly whole_ps: number;
  readonly withIdle: boolean;
  /** What idle time is a share of: in a few words, and in full. */
  readonly idle: { readonly whole: string; readonly text: string };
  /** Why there is no peak; null where there is one. */
  readonly utilisationReason: string | null;
  readonly onGo: (node: ProfileNode) => void;
}): readonly Column<ProfileNode>[] {
  const { whole_ps, utilisationReason } = options;
  const shareOf = (time_ps: number | null): number => (time_ps ?? 0) / Math.max(1, whole_ps);
  const whole = options.withIdle ? l10n.t('op time and idle time') : l10n.t('op time');
  const noPeak = utilisationReason ?? l10n.t('Neither FLOPs nor bytes of this op are known.');

  const part = (
    id: string,
    title: string,
    meaning: string,
    rank: number,
    value: (node: ProfileNode) => number | null,
    unknown: string,
  ): Column<ProfileNode> => {
    const text = (node: ProfileNode): string => {
      const time_ps = value(node);
      return isWithoutTime(node) ? '' : time_ps === null ? UNKNOWN : share(shareOf(time_ps));
    };
    return {
      id,
      title,
      meaning,
      width_px: 136,
      least_px: 72,
      align: 'end',
      rank,
      value,
      text,
      exact: (node) => {
        const time_ps = value(node);
        return isWithoutTime(node)
          ? ''
          : time_ps === null
            ? unknown
            : l10n.t('{0} of {1}', exactDuration(time_ps), exactDuration(whole_ps));
      },
      copied: { title: l10n.t('{0} (ps)', title), text: (node) => String(value(node) ?? '') },
      meter: (node) => (isWithoutTime(node) || value(node) === null ? null : { ratio: shareOf(value(node)) }),
    };
  };

  return [
    {
      id: 'name',
      title: l10n.t('Name'),
      width_px: 240,
      least_px: 128,
      fills: 3,
      value: labelText,
      text: labelText,
      exact: (node) => (node.kind === 'idle' ? options.idle.text : exactLabel(node)),
      copied: { title: l10n.t('Name'), text: (node) => `${'  '.repeat(node.depth)}${labelText(node)}` },
      cell: (node) => <Name node={node} idleWhole={options.idle.whole} />,
    },
    part(
      TIME_COLUMN,
      l10n.t('Share'),
      l10n.t('Self time as a share of {0}', whole),
      0,
      (node) => node.self_ps,
      l10n.t('unknown'),
    ),
    {
      id: 'self',
      title: l10n.t('Self'),
      meaning: l10n.t('Self time of the whole window'),
      width_px: 88,
      least_px: 64,
      align: 'end',
      rank: 3,
      value: (node) => node.self_ps,
      text: (node) => (node.self_ps === null ? '' : duration(node.self_ps)),
      exact: (node) => (node.self_ps === null ? '' : exactDuration(node.self_ps)),
      copied: { title: l10n.t('Self (ps)'), text: (node) => String(node.self_ps ?? '') },
    },
    part(
      WASTED_COLUMN,
      l10n.t('Wasted'),
      l10n.t(
        'Self time × (1 − the better of FLOP utilisation and bandwidth utilisation), summed over the ops below, as a share of {0}',
        whole,
      ),
      4,
      (node) => node.wasted_ps,
      noPeak,
    ),
    utilisationColumn<ProfileNode>({
      id: 'flops_utilisation',
      title: l10n.t('FLOP utilisation'),
      meaning: l10n.t(
        'FLOPs that ran ÷ time ÷ peak of the element type. What is not known below a row counts as nothing',
      ),
      rank: 1,
      of: ({ flop_utilisation_ratio: ratio, flops: amount, notes, utilisation_is_least: isLeast }) => ({
        ratio,
        amount,
        notes,
        isLeast,
      }),
      reason: utilisationReason,
      unknown: l10n.t('The FLOPs are not known.'),
      isBlank: isWithoutUtilisation,
    }),
    utilisationColumn<ProfileNode>({
      id: 'bandwidth_utilisation',
      title: l10n.t('Bandwidth'),
      meaning: l10n.t('Bytes of main memory ÷ time ÷ its bandwidth. What is not known below a row counts as nothing'),
      rank: 2,
      of: ({ bandwidth_utilisation_ratio: ratio, bytes: amount, notes }) => ({ ratio, amount, notes }),
      reason: utilisationReason,
      unknown: l10n.t('The bytes are not known.'),
      isBlank: isWithoutUtilisation,
    }),
    {
      id: 'bound_by',
      title: l10n.t('Bound by'),
      meaning: l10n.t('What limits it by the roofline: compute, or a memory space'),
      width_px: 112,
      rank: 6,
      value: ({ bound_by }) => bound_by,
      text: (node) => (isWithoutUtilisation(node) ? '' : boundByText(node.bound_by)),
      exact: (node) => (isWithoutUtilisation(node) ? '' : node.bound_by === null ? noPeak : boundByText(node.bound_by)),
    },
    {
      id: 'flops',
      title: l10n.t('FLOPs'),
      meaning: l10n.t('FLOPs of all executions'),
      width_px: 96,
      align: 'end',
      rank: 7,
      value: (node) => node.flops,
      text: (node) => (node.kind === 'idle' ? '' : node.flops === null ? UNKNOWN : flops(node.flops)),
      exact: (node) => (node.kind === 'idle' ? '' : node.flops === null ? l10n.t('unknown') : exactFlops(node.flops)),
      copied: { title: l10n.t('FLOPs'), text: (node) => String(node.flops ?? '') },
    },
    {
      id: 'executions',
      title: l10n.t('Executions'),
      width_px: 88,
      align: 'end',
      rank: 8,
      value: ({ executions }) => executions,
      text: ({ executions }) => (executions === null ? '' : count(executions)),
      copied: { title: l10n.t('Executions'), text: ({ executions }) => String(executions ?? '') },
    },
    {
      id: 'line',
      title: l10n.t('Line'),
      meaning: l10n.t('The line that took most of its time'),
      width_px: 128,
      rank: 5,
      value: (node) => (node.line === null ? null : `${node.path ?? ''}:${String(node.line).padStart(7)}`),
      text: (node) => lineText(node.path, node.line),
      exact: (node) => (node.line === null ? '' : `${node.path ?? ''}:${String(node.line)}`),
      cell: (node) => <Line node={node} onGo={options.onGo} />,
    },
  ];
}

/** A node by its name; those that stand for no op or line, in words. */
export function labelText(node: ProfileNode): string {
  switch (node.kind) {
    case 'total':
      return l10n.t('Total');
    case 'idle':
      return l10n.t('Idle');
    case 'line':
      return node.line === null ? node.label : lineText(node.path, node.line);
    default:
      return node.label;
  }
}

function exactLabel(node: ProfileNode): string {
  if (node.kind === 'more') {
    return l10n.t('What is less expensive than the rows above: open it to see them');
  }
  return (node.kind === 'op' || node.kind === 'element') && node.category !== ''
    ? `${node.label}\n${node.category}`
    : node.label;
}

function isWithoutTime(node: ProfileNode): boolean {
  return node.kind === 'element';
}

function isWithoutUtilisation({ kind }: ProfileNode): boolean {
  return kind === 'element' || kind === 'idle' || kind === 'more';
}

function Name(props: { readonly node: ProfileNode; readonly idleWhole: string }) {
  const { node } = props;
  const text = labelText(node);
  switch (node.kind) {
    case 'op':
    case 'element':
      return <code class={node.kind === 'element' ? 'text quiet' : 'text'}>{text}</code>;
    case 'more':
      return <span class="text quiet">{text}</span>;
    case 'idle':
      return <span class="text quiet">{l10n.t('{0}, {1}', text, props.idleWhole)}</span>;
    default:
      return <span class="text">{text}</span>;
  }
}

function Line(props: { readonly node: ProfileNode; readonly onGo: (node: ProfileNode) => void }) {
  const { node } = props;
  if (node.line === null || node.kind === 'line') {
    return null;
  }
  if (node.file === null) {
    return <span class="text quiet">{lineText(node.path, node.line)}</span>;
  }
  return (
    // Enter on the row does the same, so Tab need not stop here.
    <button type="button" class="link text" tabIndex={-1} onClick={() => props.onGo(node)}>
      {lineText(node.path, node.line)}
    </button>
  );
}
