/** Which tool call a fragment belongs to. Providers number them, number them all 0, or not at all. */

/** `told` is the index on the wire, `position` the place in its chunk. */
export type CallIndexer = (told: unknown, id: string, position: number) => number;

export function createCallIndexer(): CallIndexer {
  const ids = new Map<number, string>();
  const current = new Map<unknown, number>();
  let last = 0;

  const begin = (wanted: unknown, id: string): number => {
    const isFree = typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 0 && !ids.has(wanted);
    const index = isFree ? wanted : Math.max(-1, ...ids.keys()) + 1;
    ids.set(index, id);
    return index;
  };

  return (told, id) => {
    const known = typeof told === 'number' ? current.get(told) : knownById(ids, id, last);
    const isOther = known !== undefined && id !== '' && ids.get(known) !== '' && ids.get(known) !== id;
    last = known === undefined || isOther ? begin(told, id) : known;
    if (ids.get(last) === '') ids.set(last, id);
    current.set(told, last);
    return last;
  };
}

/** Without an index: the call of this id, or the last one that was mentioned. */
function knownById(ids: ReadonlyMap<number, string>, id: string, last: number): number | undefined {
  for (const [index, known] of ids) if (id !== '' && known === id) return index;
  return id === '' && ids.has(last) ? last : undefined;
}
