// Small pictures of the other panels, which open them: the timeline, the steps, the input, types of ops, memory.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { openCommand } from '../../../src/panels/panelList';
import type { PanelId } from '../../../src/panels/registry';
import type { OverviewRecord } from '../../../src/protocol';
import { usePage } from '../../shared/page/page';
import { greatest } from '../../shared/table/greatest';
import { byteSize, count, duration, share, timeShare } from '../../shared/text/format';

const WIDTH = 120;
const HEIGHT = 40;
const MOST_DEVICES = 8;

export function Pictures({ record }: { readonly record: OverviewRecord }) {
  return (
    <section aria-label={l10n.t('More')}>
      <h2>{l10n.t('More')}</h2>
      <div class="pictures">
        <TimelinePicture record={record} />
        <StepsPicture record={record} />
        <InputPicture record={record} />
        <KindsPicture record={record} />
        <MemoryPicture record={record} />
      </div>
    </section>
  );
}

function Picture(props: {
  readonly panel: PanelId;
  readonly title: string;
  readonly caption: string;
  readonly children: ComponentChildren;
}) {
  const { host } = usePage();
  return (
    <button
      type="button"
      class="picture"
      aria-label={`${props.title}: ${props.caption}`}
      onClick={() => host.run(openCommand(props.panel))}
    >
      <span class="picture-title">{props.title}</span>
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
        {props.children}
      </svg>
      <span class="quiet">{props.caption}</span>
    </button>
  );
}

/** When each device was busy, a row for each. */
function TimelinePicture({ record }: { readonly record: OverviewRecord }) {
  const rows = record.busy.slice(0, MOST_DEVICES);
  const height = HEIGHT / Math.max(1, rows.length);
  return (
    <Picture
      panel="timeline"
      title={l10n.t('Timeline')}
      caption={
        rows.length < record.busy.length
          ? l10n.t('{0}, {1} of {2} devices', duration(record.window_ps), count(rows.length), count(record.busy.length))
          : duration(record.window_ps)
      }
    >
      {rows.map(({ device, busy_ratios: busy }, row) => (
        <path key={device} class="busy" d={areaPath(busy, 1, row * height, height - 1)} />
      ))}
    </Picture>
  );
}

function StepsPicture({ record }: { readonly record: OverviewRecord }) {
  const { steps, step_time: time } = record;
  const most = greatest(steps, ({ duration_ps: each }) => each);
  const width = WIDTH / Math.max(1, steps.length);
  return (
    <Picture
      panel="stepTrace"
      title={l10n.t('Step Trace')}
      caption={
        time.mean_ps === null
          ? l10n.t('no complete step')
          : l10n.t('{0} × {1}', count(time.steps), duration(time.mean_ps))
      }
    >
      {steps.map(({ number, duration_ps: each, parts, wall_ps: wall }, at) => {
        const height = (each / Math.max(1, most)) * HEIGHT;
        const computed = (height * (parts.compute ?? 0)) / Math.max(1, wall);
        return (
          <g key={number}>
            <rect class="idle" x={at * width} width={width * 0.8} y={HEIGHT - height} height={height} />
            <rect class="busy" x={at * width} width={width * 0.8} y={HEIGHT - computed} height={computed} />
          </g>
        );
      })}
    </Picture>
  );
}

function InputPicture({ record }: { readonly record: OverviewRecord }) {
  const ratio = record.summary.find(({ quantity }) => quantity === 'input')?.value ?? null;
  return (
    <Picture
      panel="inputPipeline"
      title={l10n.t('Input Pipeline')}
      caption={ratio === null ? l10n.t('waiting for input: not known') : l10n.t('{0} waits for input', share(ratio))}
    >
      <rect class="idle" x="0" y={HEIGHT / 4} width={WIDTH} height={HEIGHT / 2} />
      <rect class="input" x="0" y={HEIGHT / 4} width={WIDTH * (ratio ?? 0)} height={HEIGHT / 2} />
    </Picture>
  );
}

/** The types of ops, the longest first, as bars below one another. */
function KindsPicture({ record }: { readonly record: OverviewRecord }) {
  const [first] = record.kinds;
  const height = HEIGHT / Math.max(1, record.kinds.length);
  return (
    <Picture
      panel="opStatistics"
      title={l10n.t('Types of ops')}
      caption={
        first === undefined ? l10n.t('no ops') : `${timeShare(first.share_ratio)} ${first.category || l10n.t('others')}`
      }
    >
      {record.kinds.map(({ category, share_ratio: ratio }, at) => (
        <rect
          key={category}
          class="busy"
          x="0"
          y={at * height}
          width={Math.max(0.5, WIDTH * ratio)}
          height={height * 0.75}
        />
      ))}
    </Picture>
  );
}

function MemoryPicture({ record }: { readonly record: OverviewRecord }) {
  const [memory] = [...record.memories].sort((one, other) => other.peak_bytes - one.peak_bytes);
  return (
    <Picture
      panel={memory === undefined ? 'memoryViewer' : 'memoryProfile'}
      title={l10n.t('Memory')}
      caption={
        memory === undefined
          ? l10n.t('not recorded over time')
          : memory.capacity_bytes === null
            ? l10n.t('{0} at most', byteSize(memory.peak_bytes))
            : l10n.t('{0} of {1}', byteSize(memory.peak_bytes), byteSize(memory.capacity_bytes))
      }
    >
      {memory === undefined ? null : (
        <path class="memory" d={areaPath(memory.used_bytes, Math.max(1, memory.peak_bytes), 0, HEIGHT)} />
      )}
    </Picture>
  );
}

/** The area below values that hold until the next, between 0 and the greatest. */
function areaPath(values: readonly number[], most: number, top: number, height: number): string {
  const width = WIDTH / Math.max(1, values.length);
  const points = values.map((value, at) => {
    const y = (top + height - (value / most) * height).toFixed(2);
    return `L${(at * width).toFixed(2)} ${y} L${((at + 1) * width).toFixed(2)} ${y}`;
  });
  const ground = String(top + height);
  return `M0 ${ground} ${points.join(' ')} L${String(WIDTH)} ${ground} Z`;
}
