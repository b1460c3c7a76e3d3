// Search by halves in columns whose values ascend.

/** The first place from `low` to before `high` that is not before what is looked for; `high` where all are before it. */
export function firstNotBefore(low: number, high: number, isBefore: (place: number) => boolean): number {
  let [first, end] = [low, high];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (isBefore(middle)) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}
