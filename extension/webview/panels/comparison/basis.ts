// How amounts of either side are written: those that rest on a prediction are marked, whichever of the two was predicted.

import type { ComparedQuantity, ComparisonRecord } from '../../../src/protocol';
import { signedShare } from '../../shared/comparison/words';
import { led } from '../../shared/text/basis';
import { BYTES, type Quantity, TIME } from '../../shared/text/quantities';
import { isOfBytes } from './rows';

const MARK = '≈';

export interface Written {
  readonly before: Quantity;
  readonly change: Quantity;
  readonly after: Quantity;
  /** `+12 %`; empty where it is not known. */
  readonly share: (ratio: number | null) => string;
}

/** How times of a comparison are written. */
export function timesOf({ predicted_for: device, quantities }: ComparisonRecord): Written {
  const step = quantities.find(({ name }) => name === 'predicted-step') ?? null;
  const isBefore = device !== null || (step?.before ?? null) !== null;
  const isAfter = device !== null || (step?.after ?? null) !== null;
  return {
    before: markedAs(TIME, isBefore),
    change: markedAs(TIME, isBefore || isAfter),
    after: markedAs(TIME, isAfter),
    share: (ratio) => shareAs(ratio, isBefore || isAfter),
  };
}

/** How the amounts of its rows are written: what a plan needs of memory is no estimate. */
export function amountsWritten(record: ComparisonRecord): Written {
  return isOfBytes(record) ? { before: BYTES, change: BYTES, after: BYTES, share: signedShare } : timesOf(record);
}

/** A figure of whole runs in its unit. */
export function figureAs({ name, unit }: ComparedQuantity, quantity: Quantity): Quantity {
  return unit === 'ps' ? markedAs(quantity, name === 'predicted-step') : quantity;
}

/** By how much a figure of whole runs changed. */
export function figureShare({ name, change_ratio: ratio }: ComparedQuantity): string {
  return shareAs(ratio, name === 'predicted-step');
}

/** The marks of a page are those of the run that is shown, which is but one of the two. */
function markedAs(quantity: Quantity, isPredicted: boolean): Quantity {
  const marked = (figure: string): string =>
    isPredicted ? led(MARK, figure) : figure.startsWith(MARK) ? figure.slice(MARK.length) : figure;
  return {
    ...quantity,
    text: (value) => marked(quantity.text(value)),
    exact: (value) => marked(quantity.exact(value)),
  };
}

function shareAs(ratio: number | null, isPredicted: boolean): string {
  const said = signedShare(ratio);
  return said !== '' && isPredicted ? led(MARK, said) : said;
}
