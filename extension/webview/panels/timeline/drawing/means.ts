// Means over parts of a whole, for pictures that have fewer pixels than it has parts.

/** The mean of equal parts between two shares of all of them. */
export function meanOver(parts: readonly number[], from_ratio: number, to_ratio: number): number {
  const first = Math.min(parts.length - 1, Math.floor(from_ratio * parts.length));
  const last = Math.max(first, Math.min(parts.length, Math.ceil(to_ratio * parts.length)) - 1);
  let sum = 0;
  for (let part = first; part <= last; part += 1) {
    sum += parts[part] ?? 0;
  }
  return sum / (last - first + 1);
}
