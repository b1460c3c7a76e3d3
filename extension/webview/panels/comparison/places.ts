// Where a row of a comparison is, on either side.

import type { ComparedRow } from '../../../src/protocol';
import type { HostLink, RecordedPlace } from '../../shared/page/rpc';

/** Its line before; null where it was on none, or the file is not known. */
export function placeBefore({ before_file: file, before_line: line }: ComparedRow): RecordedPlace | null {
  return file === null || line === null ? null : { file, line };
}

export function placeAfter({ after_key: key, file, line }: ComparedRow): RecordedPlace | null {
  return key === null || file === null || line === null ? null : { file, line };
}

/** Opens the copy that the run before keeps of the row's file; false where it was on no line. */
export function openBefore(host: HostLink, row: ComparedRow): boolean {
  const place = placeBefore(row);
  const run = host.facts.value?.comparison?.before[0];
  if (place === null || run === undefined) {
    return false;
  }
  host.openRecorded(run, place);
  return true;
}

/** Goes to the row's line: in its present text, or in the copy of the run before of what is gone. */
export function goTo(host: HostLink, row: ComparedRow): boolean {
  return placeAfter(row) === null ? openBefore(host, row) : host.goToLineOf(row);
}
