/** What was expected beside what was observed, with the parts in which they differ marked. */
import { type Change, diffLines, diffWordsWithSpace } from 'diff';
import { printable } from '../../../kernel/printable.ts';
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
  const isClose = isShort && common * 2 > Math.max(expected.length, observed.length);
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

/** Around lines that differ, so many that do not are shown. */
const context = 2;
const mostEdits = 2_000;

/** Two texts of several lines; lines that only one of them has are marked, and long parts that are the same are left out. */
export function LineDifference({ there, here }: { readonly there: string; readonly here: string }) {
  if (there === here) return <p class="dim">the same, but for ids and times</p>;
  const parts = diffLines(there, here, { maxEditLength: mostEdits });
  const shownOf = ({ value, added, removed }: Change, index: number): readonly string[] => {
    const lines = linesIn(value);
    if (added || removed) return lines;
    return shortened(lines, index === 0 ? 0 : context, index === (parts?.length ?? 0) - 1 ? 0 : context);
  };
  return (
    <pre class="line-difference">
      {parts?.map((part, index) => (
        <span key={index} class={part.added ? 'added' : part.removed ? 'removed' : ''}>
          {shownOf(part, index)
            .map((line) => `${part.added ? '+' : part.removed ? '−' : ' '} ${line}\n`)
            .join('')}
        </span>
      )) ?? 'they differ in too many lines to be compared'}
    </pre>
  );
}

function linesIn(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n').map(printable);
}

function shortened(lines: readonly string[], before: number, after: number): readonly string[] {
  const left = lines.length - before - after;
  if (left < 2) return lines;
  return [...lines.slice(0, before), `⋯ ${left} lines the same`, ...lines.slice(before + left)];
}
