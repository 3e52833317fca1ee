/** The page about the keys of compose files, made from the table that reads them. */
import { type KeyTable, keyTables } from './compose-keys.ts';

/** The text of `docs/reference/compose.md`, before it is formatted. */
export function keysPageText(): string {
  const sections = Object.entries(keyTables).map(
    ([section, table]) => `## ${heading(section)}\n\n${sectionText(table)}`,
  );
  return `# Keys of compose files

What becomes of each key, for [compose files](../guides/compose.md). Keys that begin with \`x-\` may be anywhere and mean nothing. Ignored
keys are listed by \`shakedown lint\`. Every other key is refused, with its place and the nearest spelling.

This page is made from the table that reads the files (\`npm run schema\`).

${sections.join('\n\n')}
`;
}

function heading(section: string): string {
  return `${section.charAt(0).toUpperCase()}${section.slice(1)}`;
}

function sectionText(table: KeyTable): string {
  const used = Object.keys(table).filter((key) => table[key] === 'used');
  const others = Object.entries(table).flatMap(([key, fate]) => {
    if (fate === 'used') return [];
    return 'ignored' in fate
      ? [`| \`${key}\` | ignored | ${fate.ignored} |`]
      : [`| \`${key}\` | refused | ${fate.refused}; ${fate.next} |`];
  });
  const rest = ['| key | | why |', '| --- | --- | --- |', ...others].join('\n');
  return `Used: ${used.map((key) => `\`${key}\``).join(', ')}.${others.length === 0 ? '' : `\n\n${rest}`}`;
}
