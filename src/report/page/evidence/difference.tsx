/** What was expected beside what was observed, with the parts in which they differ marked. */
import { diffLines, diffWordsWithSpace } from 'diff';
import { Text } from './text.tsx';

interface Sides {
  readonly expected: string;
  readonly observed: string;
}

/** Longer texts take too long to be compared word by word. */
const mostCharacters = 4_000;

export function Difference({ expected, observed }: Sides) {
  const isShort = expected.length + observed.length < mostCharacters;
  const parts = isShort ? diffWordsWithSpace(expected, observed) : [];
  const common = parts
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.length, 0);
  // Where almost nothing is the same, marks would be noise.
  const isClose = isShort && common * 2 > Math.min(expected.length, observed.length);
  const side = (skipped: 'added' | 'removed', whole: string) =>
    isClose
      ? parts
          .filter((part) => !part[skipped])
          .map(({ value, added, removed }, index) =>
            added || removed ? (
              <b key={index}>
                <Text text={value} />
              </b>
            ) : (
              <Text key={index} text={value} />
            ),
          )
      : [<Text key="whole" text={whole} />];
  return (
    <dl class="difference">
      <dt>expected</dt>
      <dd class="wanted">{side('added', expected)}</dd>
      <dt>observed</dt>
      <dd class="seen">{side('removed', observed)}</dd>
    </dl>
  );
}

/** Two texts of several lines; lines that only one of them has are marked. */
export function LineDifference({ there, here }: { readonly there: string; readonly here: string }) {
  if (there === here) return <p class="dim">the same, but for ids and times</p>;
  return (
    <pre class="line-difference">
      {diffLines(there, here, { maxEditLength: 2_000 })?.map(({ value, added, removed }, index) => (
        <span key={index} class={added ? 'added' : removed ? 'removed' : ''}>
          {value
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => `${added ? '+' : removed ? '−' : ' '} ${line}\n`)
            .join('')}
        </span>
      )) ?? 'they differ in too many lines to be compared'}
    </pre>
  );
}
