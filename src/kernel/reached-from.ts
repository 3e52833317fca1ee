/** Everything that can be reached step by step, the beginnings included. */
export function reachedFrom<Item>(first: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const reached = new Set(first);
  // A set also yields what is added meanwhile.
  for (const item of reached) for (const other of next(item)) reached.add(other);
  return reached;
}
