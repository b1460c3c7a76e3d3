// The types of ops as a pie with their names around it, which are what the keyboard reaches.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Pie, sectorsOf } from '../../shared/charts/pie';
import { type PlacedName, placedNames } from '../../shared/charts/pieNames';
import { useWalk } from '../../shared/controls/walk';
import { useSize } from '../../shared/frame/size';
import { timeShare } from '../../shared/text/format';
import { UNKNOWN } from '../../shared/text/quantities';
import { exactText, hueOf, isUnknown, patternOf, typeName } from './typeWords';
import type { PressedProps } from './typesView';

const NAME_PX = 22;
const BETWEEN_PX = 24;
/** What a name with its share takes, for which a pie in little room is smaller. */
const NAME_WIDTH_PX = 220;
const LEAST_RADIUS_PX = 56;
/** With less there is no room for names beside a pie, or for as many below one another as there may be. */
const LEAST_WIDTH_PX = 400;
const LEAST_HEIGHT_PX = 150;

/** `otherwise` is shown where there is no room for it. */
export function TypesPie(props: PressedProps & { readonly otherwise: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const hasRoom = size !== null && size.width_px >= LEAST_WIDTH_PX && size.height_px >= LEAST_HEIGHT_PX;
  return (
    <div class="types-pie" ref={element}>
      {size === null ? null : hasRoom ? <NamedPie {...props} {...size} /> : props.otherwise}
    </div>
  );
}

function NamedPie({
  types,
  measure,
  filter,
  onPress,
  width_px,
  height_px,
}: PressedProps & { readonly width_px: number; readonly height_px: number }) {
  const walk = useWalk(types.length);
  const radius_px = Math.min(height_px / 2 - 4, Math.max(LEAST_RADIUS_PX, width_px / 2 - BETWEEN_PX - NAME_WIDTH_PX));
  const sectors = sectorsOf(types.map(({ share_ratio }) => share_ratio));
  const names = placedNames(sectors, { radius_px, height_px, name_px: NAME_PX, between_px: BETWEEN_PX });
  const most_px = width_px / 2 - radius_px - BETWEEN_PX;
  return (
    <>
      <svg
        class="pie-lines"
        aria-hidden="true"
        viewBox={`${String(-width_px / 2)} ${String(-height_px / 2)} ${String(width_px)} ${String(height_px)}`}
      >
        {names.map(({ line }, position) =>
          (types[position]?.share_ratio ?? 0) > 0 ? (
            <polyline key={types[position]?.key} points={line.map((point) => point.join()).join(' ')} />
          ) : null,
        )}
      </svg>
      <div class="pie-place" style={{ '--size': `${String(2 * radius_px)}px` }}>
        <Pie
          slices={types.map((type) => ({
            key: type.key,
            share_ratio: type.share_ratio,
            hue: hueOf(type),
            pattern: patternOf(type),
            title: exactText(type, measure),
          }))}
          selected={filter.value}
          onPress={onPress}
        />
      </div>
      <div
        class="types-list"
        role="group"
        aria-label={measure === 'flops' ? l10n.t('Types of ops by FLOPs') : l10n.t('Types of ops by time')}
        ref={walk.list}
        onKeyDown={walk.onKeyDown}
      >
        {types.map((type, position) => (
          <button
            key={type.key}
            type="button"
            class={`type ${names[position]?.side ?? 'end'}`}
            style={placeOf(names[position], most_px, radius_px)}
            aria-pressed={type.key === filter.value}
            tabIndex={walk.tabIndexOf(position)}
            title={exactText(type, measure)}
            onFocus={() => walk.reach(position)}
            onClick={() => onPress(type.key)}
          >
            <span class={`type-mark pattern-${patternOf(type)}`} style={{ '--hue': hueOf(type) }} />
            <span class="type-name ellipsis">{typeName(type)}</span>
            <span class="share-text quiet">{isUnknown(type) ? UNKNOWN : timeShare(type.share_ratio)}</span>
          </button>
        ))}
      </div>
    </>
  );
}

function placeOf(name: PlacedName | undefined, most_px: number, radius_px: number) {
  const from_middle = `calc(50% + ${String(radius_px + BETWEEN_PX)}px)`;
  return {
    top: `calc(50% + ${String((name?.y_px ?? 0) - NAME_PX / 2)}px)`,
    maxWidth: `${String(most_px)}px`,
    ...(name?.side === 'start' ? { right: from_middle } : { left: from_middle }),
  };
}
