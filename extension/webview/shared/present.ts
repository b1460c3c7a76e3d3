/** A list without what is null in it. */
export function present<Item>(items: readonly (Item | null)[]): readonly Item[] {
  return items.filter((item) => item !== null);
}
