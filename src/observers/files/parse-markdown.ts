/** Reads Markdown for what can be checked in it: front matter, headings, checkboxes. Pure. */
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
  const lines = text.split(/\r?\n/);
  const { frontMatter, from } = readFrontMatter(lines);
  const headings: { level: number; text: string; line: number }[] = [];
  const checkboxes: Checkbox[] = [];
  let fence: string | undefined;
  for (let index = from; index < lines.length; index += 1) {
    const content = lines[index] as string;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(content)?.[1];
    if (fence !== undefined || mark !== undefined) {
      fence = fenceAfter(fence, mark, content);
      continue;
    }
    const line = index + 1;
    const heading = headingAt(lines, index);
    if (heading) headings.push({ ...heading, line });
    const box = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*?)\s*$/.exec(content);
    if (box)
      checkboxes.push({
        text: box[2] as string,
        checked: box[1] !== ' ',
        under: headings.at(-1)?.text ?? null,
        line,
      });
  }
  return { frontMatter, headings, checkboxes };
}

function readFrontMatter(lines: readonly string[]): { frontMatter: unknown; from: number } {
  const end =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
      : -1;
  if (end < 0) return { frontMatter: null, from: 0 };
  return { frontMatter: parseYaml(lines.slice(1, end).join('\n')), from: end + 1 };
}

/** The fence that is open after this line; one is closed by as many of the same mark, alone on its line. */
function fenceAfter(open: string | undefined, mark: string | undefined, line: string): string | undefined {
  if (open === undefined) return mark;
  const closes = mark?.[0] === open[0] && (mark?.length ?? 0) >= open.length && line.trim() === mark;
  return closes ? undefined : open;
}

/** `## Title`, or a line that is underlined with `===` or `---`. */
function headingAt(lines: readonly string[], index: number): { level: number; text: string } | undefined {
  const line = lines[index] as string;
  const hashes = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line);
  if (hashes) return { level: (hashes[1] as string).length, text: hashes[2] ?? '' };
  const under = /^ {0,3}(=+|-{2,})\s*$/.exec(lines[index + 1] ?? '')?.[1];
  const isParagraph = line.trim() !== '' && !/^(?: {4}|\s*(?:[-*+>|]|\d+[.)]\s))/.test(line);
  return under !== undefined && isParagraph
    ? { level: under[0] === '=' ? 1 : 2, text: line.trim() }
    : undefined;
}
