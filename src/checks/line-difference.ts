/** Two texts line by line: what stands only in the first (`-`), only in the second (`+`), and a little around it. */

const around = 2;
const mostLines = 40;

export function lineDifference(before: string, after: string): string {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  const lines = [
    ...old.slice(Math.max(0, start - around), start).map((line) => `  ${line}`),
    ...bounded(old.slice(start, old.length - end), '-'),
    ...bounded(now.slice(start, now.length - end), '+'),
    ...old.slice(old.length - end, old.length - end + around).map((line) => `  ${line}`),
  ];
  return lines.join('\n');
}

function bounded(lines: readonly string[], sign: string): string[] {
  const told = lines.slice(0, mostLines).map((line) => `${sign} ${line}`);
  return lines.length > mostLines ? [...told, `${sign} … ${lines.length - mostLines} more lines`] : told;
}
