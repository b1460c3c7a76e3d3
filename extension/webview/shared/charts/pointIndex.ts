// Which of many points is nearest to a place: sorted by x, so that only those close by are looked at.

export class PointIndex {
  /** Positions in the lists that were given, by x. */
  private readonly order: Uint32Array;
  private readonly xs: Float64Array;

  constructor(
    x_px: readonly number[],
    private readonly y_px: readonly number[],
  ) {
    this.order = Uint32Array.from(x_px.keys()).sort((one, other) => (x_px[one] ?? 0) - (x_px[other] ?? 0));
    this.xs = Float64Array.from(this.order, (at) => x_px[at] ?? 0);
  }

  /** The position of the nearest point within reach; of points as near the one that was given first. Null without. */
  nearest(x_px: number, y_px: number, reach_px: number): number | null {
    let [found, least] = [-1, reach_px * reach_px];
    for (let at = this.firstFrom(x_px - reach_px); at < this.xs.length; at += 1) {
      const across = (this.xs[at] ?? 0) - x_px;
      if (across > reach_px) {
        break;
      }
      const point = this.order[at] ?? 0;
      const up = (this.y_px[point] ?? 0) - y_px;
      const square = across * across + up * up;
      if (square < least || (square === least && (found === -1 || point < found))) {
        [found, least] = [point, square];
      }
    }
    return found === -1 ? null : found;
  }

  /** The first place in the order whose x is not less. */
  private firstFrom(x_px: number): number {
    let [low, high] = [0, this.xs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.xs[middle] ?? 0) < x_px) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
