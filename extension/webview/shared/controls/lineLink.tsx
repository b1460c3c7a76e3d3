// A line of source in a cell or a card: a link where it is known which file it is in.

import type { Selection } from '../../../src/panels/messages';
import { fileName, lineText } from '../op/words';
import { usePage } from '../page/page';

export interface LinePlace {
  /** As it is written. */
  readonly path: string | null;
  /** Where the file is; null where that is not known. */
  readonly file: string | null;
  readonly line: number | null;
}

export function LineLink(props: {
  readonly place: LinePlace;
  /** Whether Tab stops here: in a table Enter on the row does the same. */
  readonly inRow?: boolean;
}) {
  const { place } = props;
  const { host } = usePage();
  const { path, file, line } = place;
  if (line === null) {
    return null;
  }
  return file === null ? (
    <span class="text quiet">{lineText(path, line)}</span>
  ) : (
    <button
      type="button"
      class="link text place"
      aria-label={lineText(path, line)}
      title={exactLine(place)}
      {...(props.inRow === true ? { tabIndex: -1 } : {})}
      onClick={() => host.goToLineOf(place)}
    >
      <PlaceText file={fileName(path)} line={line} />
    </button>
  );
}

/** A file and a line: where there is no room the file's name gives way, never the number. */
export function PlaceText(props: { readonly file: string; readonly line: number }) {
  return (
    <>
      <span class="text">{props.file}</span>
      <span>:{props.line}</span>
    </>
  );
}

/** What lines are ordered by: their file, then their number. */
export function lineOrder({ path, line }: LinePlace): string | null {
  return line === null ? null : `${path ?? ''}:${String(line).padStart(7)}`;
}

/** A line in full, for a tooltip. */
export function exactLine({ path, line }: LinePlace): string {
  return line === null ? '' : `${path ?? ''}:${String(line)}`;
}

/** What selecting a place selects in the other panels. */
export function selectionOf({ file, line }: LinePlace): Selection | null {
  return file === null || line === null ? null : { kind: 'line', file, line };
}
