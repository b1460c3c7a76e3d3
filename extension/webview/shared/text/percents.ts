// Shares of one whole side by side, whose percents sum to 100 as they are read.

import { timeShare } from './format';

/** The shares of amounts of their sum, to a tenth of a percent by largest remainder; what rounds to nothing is `<0.1 %`. */
export function percents(amounts: readonly number[]): readonly string[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  const exact = amounts.map((amount) => (whole === 0 ? 0 : (amount / whole) * 1000));
  const tenths = exact.map(Math.floor);
  const left = Math.round(exact.reduce((sum, each) => sum + each, 0)) - tenths.reduce((sum, each) => sum + each, 0);
  const byRemainder = exact
    .map((each, position) => ({ position, remainder: each - Math.floor(each) }))
    .sort((one, other) => other.remainder - one.remainder);
  for (const { position } of byRemainder.slice(0, left)) {
    tenths[position] = (tenths[position] ?? 0) + 1;
  }
  return tenths.map((tenth, position) =>
    tenth === 0 ? timeShare(Math.min(exact[position] ?? 0, 0.4) / 1000) : timeShare(tenth / 1000),
  );
}
