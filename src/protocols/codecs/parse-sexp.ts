/** Reads one s-expression as plain data: property lists as maps, keywords with their colon, names in upper case. */
import { type AnyNumber, exactNumber } from '../../kernel/exact-json.ts';
import { BrokenRule } from './codec.ts';
import { codecLimits } from './codec-limits.ts';
import { readSexpToken, type SexpToken } from './read-sexp-token.ts';

interface Item {
  readonly value: unknown;
  /** The name of a keyword, without its colon. */
  readonly keyword?: string;
}

interface OpenList {
  readonly items: Item[];
}

/** Keeps open lists on an explicit stack, so that deep nesting cannot overflow the call stack. */
export function parseSexp(text: string): unknown {
  const open: OpenList[] = [];
  let whole: Item | undefined;
  for (let token = readSexpToken(text, 0); token; token = readSexpToken(text, token.end)) {
    if (whole) throw notSexp(`something follows the expression at character ${token.start}`);
    if (token.kind === 'open') open.push(openList(open.length));
    else whole = place(token.kind === 'close' ? closeList(open.pop(), token) : atomOf(token), open);
  }
  if (open.length > 0) throw notSexp(`${open.length} lists are not closed`);
  if (!whole) throw notSexp('the frame contains no expression');
  return whole.value;
}

/** Into the innermost open list; when none is open, this is the whole expression. */
function place(item: Item, open: readonly OpenList[]): Item | undefined {
  const innermost = open.at(-1);
  if (!innermost) return item;
  innermost.items.push(item);
  return undefined;
}

function openList(depth: number): OpenList {
  if (depth >= codecLimits.depth) throw new BrokenRule('too-deep', `more than ${codecLimits.depth} levels`);
  return { items: [] };
}

/** A list with a keyword at every other place is a map; when a key repeats it stays a list, so that nothing is lost. */
function closeList(list: OpenList | undefined, token: SexpToken): Item {
  if (!list) throw notSexp(`a list is closed that was not opened, at character ${token.start}`);
  const { items } = list;
  const keys = items.filter((_, index) => index % 2 === 0).map(({ keyword }) => keyword);
  const isMap = items.length > 0 && items.length % 2 === 0 && keys.every((key) => key !== undefined);
  if (!isMap || new Set(keys).size < keys.length) return { value: items.map(({ value }) => value) };
  return { value: Object.fromEntries(keys.map((key, index) => [key, items[index * 2 + 1]?.value])) };
}

function atomOf({ kind, text, escaped }: SexpToken): Item {
  if (kind === 'string') return { value: text };
  if (text.startsWith(':') && text.length > 1) return { value: text, keyword: text.slice(1) };
  if (escaped) return { value: text };
  if (text === 'T') return { value: true };
  return { value: text === 'NIL' ? null : (numberOf(text) ?? text) };
}

/** Integers, floats with any exponent letter, and ratios. */
function numberOf(text: string): AnyNumber | undefined {
  if (/^[+-]?\d+\.?$/.test(text)) return exactNumber(text.replace(/\.$/, ''));
  if (/^[+-]?(?:\d*\.\d+|\d+(?:\.\d*)?(?=[ESFDL]))(?:[ESFDL][+-]?\d+)?$/.test(text)) {
    return exactNumber(text.replace(/[SFDL]/, 'E'));
  }
  const [, top, bottom] = /^([+-]?\d+)\/(\d+)$/.exec(text) ?? [];
  const ratio = Number(top) / Number(bottom);
  return Number.isFinite(ratio) ? ratio : undefined;
}

function notSexp(detail: string): BrokenRule {
  return new BrokenRule('not-sexp', detail);
}
