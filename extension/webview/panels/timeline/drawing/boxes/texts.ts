// Names on boxes: as much as fits, measured once for each character and cut once for each width.

import { firstNotBefore } from '../../../../shared/charts/ascending';

const ELLIPSIS = '…';
/** Longer names are cut anyway; what fits on a screen is shorter. */
const MOST_CHARACTERS = 240;
/** As many as are ever on the screen at once fit several times. */
const MOST_KNOWN = 20_000;

interface Known {
  readonly text: string;
  /** How wide the first 0, 1, … characters are. */
  readonly ends_px: Float32Array;
  length: number;
  cut: string;
}

/** Measures and cuts texts of one font. `measure` gives a text's width in pixels. */
export class TextCutter {
  private readonly characters = new Map<string, number>();
  private readonly known = new Map<string, Known>();
  private readonly ellipsis_px: number;

  constructor(private readonly measure: (text: string) => number) {
    this.ellipsis_px = measure(ELLIPSIS);
  }

  /** As much of a text as fits a width, with an ellipsis for what does not; empty where not even a letter fits. */
  cut(text: string, width_px: number): string {
    const known = this.known.get(text) ?? this.learn(text);
    const { ends_px } = known;
    const most = ends_px.length - 1;
    if ((ends_px[most] ?? 0) <= width_px && known.text === text) {
      return text;
    }
    // One character less than the first that leaves no room for the ellipsis.
    let length = firstNotBefore(1, most + 1, (end) => (ends_px[end] ?? 0) + this.ellipsis_px <= width_px) - 1;
    if (isInsideOfCharacter(known.text, length)) {
      length -= 1;
    }
    if (length !== known.length) {
      known.length = length;
      known.cut = length === 0 ? '' : known.text.slice(0, length) + ELLIPSIS;
    }
    return known.cut;
  }

  private learn(text: string): Known {
    const short = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
    const ends_px = new Float32Array(short.length + 1);
    let at_px = 0;
    let unit = 0;
    for (const character of short) {
      let width_px = this.characters.get(character);
      if (width_px === undefined) {
        width_px = this.measure(character);
        this.characters.set(character, width_px);
      }
      at_px += width_px;
      for (const end = unit + character.length; unit < end;) {
        unit += 1;
        ends_px[unit] = at_px;
      }
    }
    if (this.known.size >= MOST_KNOWN) {
      this.known.clear();
    }
    const known = { text: short, ends_px, length: 0, cut: '' };
    this.known.set(text, known);
    return known;
  }
}

/** Whether a cut would divide a character of two units. */
function isInsideOfCharacter(text: string, at: number): boolean {
  const before = at === 0 ? 0 : text.charCodeAt(at - 1);
  return before >= 0xd800 && before < 0xdc00;
}
