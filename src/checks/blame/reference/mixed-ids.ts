/** Ids linked differently from the passing run: an answer to another request, a row of another session. */
import type { AlignedCalls } from './align-calls.ts';
import type { Link } from './compare-values.ts';
import type { ReferenceCall } from './reference-digest.ts';

/** The first message, in time, with an id where another one belongs: its sender, and the index of its call in the second run. */
export function findMixedIds({ pairs }: Pick<AlignedCalls, 'pairs'>, now: readonly ReferenceCall[]) {
  const messages = pairs
    .flatMap(({ is, request, answer }) => {
      const call = now[is] as ReferenceCall;
      return [
        { place: is, isAnswer: false, party: call.from, at: call.began, links: request.links },
        { place: is, isAnswer: true, party: call.to, at: call.ended, links: answer.links },
      ];
    })
    .sort((a, b) => a.at - b.at);
  const then = new Map<string, string>();
  const today = new Map<string, string>();
  for (const { links, ...message } of messages) {
    for (const [was, is] of links) {
      const wrong = conflict([was, is], then, today);
      if (wrong !== undefined) return { ...message, id: is, expected: wrong };
      then.set(was, is);
      today.set(is, was);
    }
  }
  return undefined;
}

/** The id that belongs there, if it is a different one. Times and addresses are equal or not by chance. */
function conflict(
  [was, is]: Link,
  then: ReadonlyMap<string, string>,
  today: ReadonlyMap<string, string>,
): string | undefined {
  if (![was, is].every(isIdentity)) return undefined;
  const meant = then.get(was);
  if (meant !== undefined && meant !== is) return meant;
  const other = today.get(is);
  return other !== undefined && other !== was ? `another id than ${is}` : undefined;
}

function isIdentity(word: string): boolean {
  if (word.startsWith('‹')) return /^‹u?id#/.test(word);
  return /\p{L}/u.test(word) && /\d/.test(word) && !/ |^\d+(?:ms|s|µs)$/.test(word);
}
