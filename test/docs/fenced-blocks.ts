/**
 * Reads the fenced blocks of a page. The attributes after the language say what the test does with a block:
 *
 * - `sh`: runs in the page's own folder, with `shakedown` on PATH, and must end with 0, or with N where `exit=N` is said;
 * - `text output`: its lines were printed, in this order, by the block before; `…` matches anything;
 * - any language with `title=FILE`: is written to that file;
 * - `yaml fragment=service` or `fragment=system`: is put into a config, which must be well-formed;
 * - `norun="why"`: is shown only, and says why.
 */
export interface FencedBlock {
  readonly language: string;
  readonly text: string;
  /** Of the opening fence. */
  readonly line: number;
  readonly title: string | undefined;
  readonly exitCode: number;
  readonly isOutput: boolean;
  readonly fragment: string | undefined;
  readonly norun: string | undefined;
}

const fence = /^```(?<info>.*)\n(?<text>[\s\S]*?)^```$/gm;

export function fencedBlocks(page: string): readonly FencedBlock[] {
  return [...page.matchAll(fence)].map((match) => {
    const { info = '', text = '' } = match.groups ?? {};
    const word = (name: string): string | undefined =>
      new RegExp(`\\b${name}=(?:"([^"]*)"|(\\S+))`)
        .exec(info)
        ?.slice(1)
        .find((found) => found !== undefined);
    return {
      language: info.split(' ')[0] ?? '',
      text,
      line: page.slice(0, match.index).split('\n').length,
      title: word('title'),
      exitCode: Number(word('exit') ?? 0),
      isOutput: / output\b/.test(info),
      fragment: word('fragment'),
      norun: word('norun'),
    };
  });
}

/** Lines of the block that were not printed, in order, after the one before. */
export function missingLines(shown: string, printed: string): readonly string[] {
  const lines = printed.split('\n');
  let from = 0;
  return shown
    .trimEnd()
    .split('\n')
    .filter((line) => {
      if (line.trim() === '…' || line.trim() === '') return false;
      const pattern = new RegExp(`^${line.trimEnd().split('…').map(escapeRegExp).join('.*')}\\s*$`);
      const at = lines.findIndex((candidate, index) => index >= from && pattern.test(candidate));
      if (at >= 0) from = at + 1;
      return at < 0;
    });
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
