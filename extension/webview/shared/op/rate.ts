const PS_PER_S = 1e12;

/** An amount for each second; null where the amount is not known, or took no time. */
export function per_s(amount: number | null, time_ps: number): number | null {
  return amount === null || time_ps === 0 ? null : (amount / time_ps) * PS_PER_S;
}
