/** Reads Markdown for what can be checked in it: front matter, headings, checkboxes. Pure. */
import { readBlocks } from './markdown-blocks.ts';
import { parseYaml } from './parse-yaml.ts';

export interface MarkdownView {
  /** Null when there is none. */
  readonly frontMatter: unknown;
  readonly headings: readonly { readonly level: number; readonly text: string; readonly line: number }[];
  readonly checkboxes: readonly Checkbox[];
}

interface Checkbox {
  readonly text: string;
  readonly checked: boolean;
  /** The heading above it; null before the first. */
  readonly under: string | null;
  readonly line: number;
}

export function parseMarkdown(text: string): MarkdownView {
  const lines = text.split(/\r\n|\n|\r/);
  const { frontMatter, from } = readFrontMatter(lines);
  const headings: MarkdownView['headings'][number][] = [];
  const checkboxes: Checkbox[] = [];
  for (const block of readBlocks(lines, from)) {
    const { line } = block;
    const box = block.kind === 'paragraph' && block.beginsItem ? boxIn(block.lines) : undefined;
    if (block.kind === 'heading') headings.push({ level: block.level, text: block.text, line });
    else if (box) checkboxes.push({ ...box, under: headings.at(-1)?.text ?? null, line });
  }
  return { frontMatter, headings, checkboxes };
}

/** Its text is the rest of the line, or the next line where that is empty. */
function boxIn([first = '', next = '']: readonly string[]): Pick<Checkbox, 'text' | 'checked'> | undefined {
  const [mark, inside] = /^\[([ \txX])\](?=\s|$)/.exec(first) ?? [];
  if (mark === undefined) return undefined;
  return { text: first.slice(mark.length).trim() || next, checked: /x/i.test(inside ?? '') };
}

function readFrontMatter(lines: readonly string[]): { frontMatter: unknown; from: number } {
  const end =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
      : -1;
  if (end < 0) return { frontMatter: null, from: 0 };
  return { frontMatter: parseYaml(lines.slice(1, end).join('\n')), from: end + 1 };
}
