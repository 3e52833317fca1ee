/** Puts variables into a text as the Compose Specification says: `$NAME`, `${NAME:-default}`, `$$`. Pure. */

export interface Interpolated {
  readonly text: string;
  /** What keeps the text from being used, with the part of it that is at fault. */
  readonly faults: readonly InterpolationFault[];
  /** Variables that nothing sets, and that have no default: they are empty. */
  readonly unset: readonly string[];
}

export interface InterpolationFault {
  readonly offset: number;
  readonly length: number;
  readonly what: string;
  readonly next: string;
  /** Set where the file itself is right, and a variable is missing. */
  readonly required?: string;
}

export type LookUp = (name: string) => string | undefined;

const deepest = 50;
const namedVariable = /[_a-z]\w*/iy;
const braced = /^([_a-z]\w*)(?:(:?[-+?])(.*))?$/is;

export function interpolate(text: string, lookUp: LookUp): Interpolated {
  const faults: InterpolationFault[] = [];
  const unset: string[] = [];

  const fill = (part: string, base: number, depth: number): string => {
    let filled = '';
    let at = 0;
    while (at < part.length) {
      const dollar = part.indexOf('$', at);
      if (dollar < 0) return filled + part.slice(at);
      filled += part.slice(at, dollar);
      const next = part[dollar + 1];
      if (next === '$') {
        filled += '$';
        at = dollar + 2;
      } else if (next === '{') {
        const end = closingBrace(part, dollar + 2);
        filled += fillBraces(part.slice(dollar + 2, end), base + dollar, end !== undefined, depth);
        at = (end ?? part.length) + 1;
      } else {
        namedVariable.lastIndex = dollar + 1;
        const name = namedVariable.exec(part)?.[0];
        if (name === undefined) filled += '$';
        else filled += given(name);
        at = dollar + 1 + (name?.length ?? 0);
      }
    }
    return filled;
  };

  const fillBraces = (inside: string, offset: number, isClosed: boolean, depth: number): string => {
    const match = isClosed && depth < deepest ? braced.exec(inside) : null;
    if (!match) {
      faults.push({ offset, length: inside.length + 3, ...unreadable(inside, isClosed, depth) });
      return '';
    }
    const [, name = '', operator, word = ''] = match;
    const value = lookUp(name);
    const isGiven = value !== undefined && !(operator?.startsWith(':') && value === '');
    const inner = (): string => fill(word, offset + inside.indexOf(word), depth + 1);
    switch (operator?.at(-1)) {
      case '-':
        return isGiven ? value : inner();
      case '+':
        return isGiven ? inner() : '';
      case '?':
        if (!isGiven) faults.push(missing(name, value, inner(), { offset, length: inside.length + 3 }));
        return value ?? '';
      default:
        return given(name);
    }
  };

  const given = (name: string): string => {
    const value = lookUp(name);
    if (value === undefined) unset.push(name);
    return value ?? '';
  };

  return { text: fill(text, 0, 0), faults, unset };
}

/** The brace that closes the one before `from`, past those of nested variables. */
function closingBrace(text: string, from: number): number | undefined {
  let open = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) open += 1;
    if (text[at] === '}') open -= 1;
    if (open === 0) return at;
  }
  return undefined;
}

function unreadable(inside: string, isClosed: boolean, depth: number): { what: string; next: string } {
  const short = inside.length > 40 ? `${inside.slice(0, 40)}…` : inside;
  if (!isClosed) return { what: `the brace of \`\${${short}\` is never closed`, next: 'close it: `${NAME}`' };
  if (depth >= deepest)
    return { what: `variables are nested more than ${deepest} deep`, next: 'use fewer defaults' };
  return {
    what: `\`\${${short}}\` names no variable`,
    next: 'write `${NAME}` or `${NAME:-default}`, or `$$` for a plain `$`',
  };
}

function missing(
  name: string,
  value: string | undefined,
  message: string,
  span: { readonly offset: number; readonly length: number },
): InterpolationFault {
  const reason = message === '' ? '' : `: ${message}`;
  return {
    ...span,
    what: `the variable ${name} is ${value === undefined ? 'not set' : 'empty'}, and must be given${reason}`,
    next: `export ${name}=…, or write it to the .env file`,
    required: name,
  };
}
