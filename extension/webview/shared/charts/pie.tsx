// A pie: shares of a whole, clockwise from the top. Around it stand the names of its slices, by which it is read and
// reached from the keyboard.

/** Patterns tell slices apart that share a hue. */
export const PATTERNS = ['plain', 'falling', 'rising', 'crossed'] as const;
export type Pattern = (typeof PATTERNS)[number];

/** Lines that are left out of the hue, in a square of that many units. */
const PATTERN_UNITS = 10;
const PATTERN_LINES: Readonly<Record<Pattern, string>> = {
  plain: '',
  falling: 'M-2 -2 L12 12 M-2 8 L2 12 M8 -2 L12 2',
  rising: 'M-2 12 L12 -2 M-2 2 L2 -2 M8 12 L12 8',
  crossed: 'M-2 -2 L12 12 M-2 8 L2 12 M8 -2 L12 2 M-2 12 L12 -2 M-2 2 L2 -2 M8 12 L12 8',
};

export interface Slice {
  readonly key: string;
  readonly share_ratio: number;
  /** Its colour, as style sheets have it. */
  readonly hue: string;
  readonly pattern: Pattern;
  readonly title: string;
}

/** A slice from one share of the circle to another. */
export interface Sector {
  readonly from_ratio: number;
  readonly to_ratio: number;
}

const RADIUS = 100;

export function Pie(props: {
  readonly slices: readonly Slice[];
  readonly selected: string | null;
  readonly onPress: (key: string) => void;
}) {
  const sectors = sectorsOf(props.slices.map(({ share_ratio }) => share_ratio));
  return (
    <svg class="pie" viewBox="-102 -102 204 204" aria-hidden="true">
      {props.slices.map((slice, position) => {
        const sector = sectors[position];
        if (sector === undefined || sector.to_ratio <= sector.from_ratio) {
          return null;
        }
        const isSelected = slice.key === props.selected;
        return (
          <g
            key={slice.key}
            class={`slice ${isSelected ? 'selected' : ''}`}
            style={{ '--hue': slice.hue }}
            onClick={() => props.onPress(slice.key)}
          >
            <title>{slice.title}</title>
            <path class="sector" d={sectorPath(sector)} />
            {slice.pattern === 'plain' ? null : (
              <path class="sector-pattern" d={sectorPath(sector)} fill={`url(#pie-${slice.pattern})`} />
            )}
          </g>
        );
      })}
      <defs>
        {PATTERNS.filter((name) => props.slices.some(({ pattern }) => name !== 'plain' && pattern === name)).map(
          (name) => (
            <pattern
              key={name}
              id={`pie-${name}`}
              width={PATTERN_UNITS}
              height={PATTERN_UNITS}
              patternUnits="userSpaceOnUse"
            >
              <path class="pattern-lines" d={PATTERN_LINES[name]} />
            </pattern>
          ),
        )}
      </defs>
    </svg>
  );
}

/** Where each share begins and ends; they fill the circle whatever they sum to. */
export function sectorsOf(shares: readonly number[]): readonly Sector[] {
  const whole = shares.reduce((sum, share) => sum + Math.max(0, share), 0);
  let before = 0;
  return shares.map((share) => {
    const from_ratio = whole === 0 ? 0 : before / whole;
    before += Math.max(0, share);
    return { from_ratio, to_ratio: whole === 0 ? 0 : before / whole };
  });
}

/** The outline of a sector; one that is the whole circle is drawn as two arcs, since one would end where it begins. */
export function sectorPath({ from_ratio, to_ratio }: Sector): string {
  const middle = (from_ratio + to_ratio) / 2;
  const [start, half, end] = [from_ratio, middle, to_ratio].map((ratio) =>
    pointAt(ratio, RADIUS).map(rounded).join(' '),
  );
  const arc = `A ${String(RADIUS)} ${String(RADIUS)} 0 0 1`;
  const arcs = `M ${start ?? ''} ${arc} ${half ?? ''} ${arc} ${end ?? ''}`;
  return to_ratio - from_ratio > 0.9999 ? `${arcs} Z` : `${arcs} L 0 0 Z`;
}

function pointAt(ratio: number, radius: number): readonly [number, number] {
  const angle = 2 * Math.PI * ratio;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

function rounded(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
