/** Ids linked differently from the passing run: an answer to another request, a row of another session. */
import type { AlignedCalls } from './align-calls.ts';
import type { ReferenceCall } from './reference-digest.ts';
import { type Contradiction, Renaming } from './renaming.ts';

/** A message with an id where another one belongs. */
export interface MixedId extends Contradiction {
  /** Of the second run, the index of its call. */
  readonly place: number;
  readonly isAnswer: boolean;
}

/** In the order of time: the first that uses an id says which one it is. */
export function findMixedIds(
  { pairs }: Pick<AlignedCalls, 'pairs'>,
  then: readonly ReferenceCall[],
  now: readonly ReferenceCall[],
): readonly MixedId[] {
  const messages = pairs
    .filter(({ was }) => !then[was]?.loose)
    .flatMap(({ is, request, answer, isGuess }) => {
      const { began, ended } = now[is] as ReferenceCall;
      return [
        { place: is, isAnswer: false, at: began, links: request.links, isGuess },
        { place: is, isAnswer: true, at: ended, links: answer.links, isGuess },
      ];
    })
    .sort((a, b) => a.at - b.at);
  const known = new Renaming();
  return messages.flatMap(({ links, isGuess, at: _at, ...message }) => {
    const wrong = known.contradicted(links);
    known.learn(links, isGuess);
    return wrong === undefined ? [] : [{ ...message, ...wrong, isSure: wrong.isSure && !isGuess }];
  });
}
