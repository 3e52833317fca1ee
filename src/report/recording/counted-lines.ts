/** Consecutive equal lines of a script become one. Pure. */

export function countedLines(lines: readonly object[]): readonly object[] {
  const counted: { readonly line: object; times: number }[] = [];
  for (const line of lines) {
    const last = counted.at(-1);
    if (last && JSON.stringify(last.line) === JSON.stringify(line)) last.times += 1;
    else counted.push({ line, times: 1 });
  }
  return counted.map(({ line, times }) => (times === 1 ? line : { ...line, times }));
}
