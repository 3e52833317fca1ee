/** Globs as regular expressions: `*`, `**`, `?`, `[a-z]`, `{a,b}`; a leading dot in a name is not special. Pure. */

/** The source of an expression for paths with `/`, relative to the folder; undefined if the glob is not closed. */
export function globExpression(glob: string): string | undefined {
  const parts: string[] = [];
  let depth = 0;
  for (let at = 0; at < glob.length; ) {
    const { text, length, depth: change = 0 } = nextPart(glob, at, depth);
    if (text === undefined) return undefined;
    parts.push(text);
    depth += change;
    at += length;
  }
  return depth === 0 ? `^${parts.join('')}$` : undefined;
}

/** The path that a glob without stars, classes and choices means. */
export function globText(glob: string): string {
  return glob.replaceAll(/\\(.)/gs, '$1');
}

/** The literal folders at the beginning of a glob: only files below them can match. */
export function globBase(glob: string): string {
  const segments = glob.split('/');
  const open = segments.findIndex((segment) => /[*?[{\\]/.test(segment));
  return (open < 0 ? segments.slice(0, -1) : segments.slice(0, open)).join('/');
}

/** The maximum number of segments of a matching path. */
export function globDepth(glob: string): number {
  const isOpen = glob.includes('**') || /\{[^}]*\//.test(glob);
  return isOpen ? Number.POSITIVE_INFINITY : glob.split('/').length;
}

interface Part {
  readonly text: string | undefined;
  readonly length: number;
  readonly depth?: number;
}

function nextPart(glob: string, at: number, depth: number): Part {
  const rest = glob.slice(at);
  const isStart = at === 0 || glob[at - 1] === '/';
  if (isStart && rest.startsWith('**/')) return { text: '(?:[^/]+/)*', length: 3 };
  if (isStart && rest === '**') return { text: '[\\s\\S]+', length: 2 };
  const [character = ''] = rest;
  switch (character) {
    case '*':
      return { text: '[^/]*', length: 1 };
    case '?':
      return { text: '[^/]', length: 1 };
    case '{':
      return { text: '(?:', length: 1, depth: 1 };
    case '[':
      return classPart(rest);
    case '\\':
      return { text: rest.length > 1 ? escapeCharacter(rest[1] as string) : undefined, length: 2 };
  }
  if (depth > 0 && character === ',') return { text: '|', length: 1 };
  if (depth > 0 && character === '}') return { text: ')', length: 1, depth: -1 };
  return { text: escapeCharacter(character), length: 1 };
}

function classPart(rest: string): Part {
  const match = /^\[([!^]?)([^\]/]+)\]/.exec(rest);
  if (!match) return { text: '\\[', length: 1 };
  const [whole, not, members = ''] = match;
  return { text: `[${not === '' ? '' : '^'}${members.replaceAll(/[\\[]/g, '\\$&')}]`, length: whole.length };
}

function escapeCharacter(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
}
