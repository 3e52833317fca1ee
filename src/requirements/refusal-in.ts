/** Whether a pattern accepts nothing but a refusal: an error status, an exit code that is not 0, an error where one is named. */
import { isContainer } from '../kernel/exact-json.ts';
import { checkPattern } from '../patterns/check-pattern.ts';
import { matchPattern } from '../patterns/match-pattern.ts';

/** The reason in a few words; undefined where a success would match, too, or it cannot be determined. */
export function refusalIn(pattern: unknown): string | undefined {
  if (typeof pattern === 'string') return symbols.test(pattern) ? `it expects ${pattern}` : undefined;
  if (Array.isArray(pattern)) return firstOf(pattern, refusalIn);
  if (!isContainer(pattern)) return undefined;
  return firstOf(Object.entries(pattern), ([key, inner]) =>
    key.startsWith('$') ? underOperator(key, inner, pattern) : (underKey(key, inner) ?? refusalIn(inner)),
  );
}

/** A symbol of a protocol, as a whole: `:ERROR`. */
const symbols = /^:(?:ERROR|ERR|REFUSED|REJECTED|DENIED|FAILED|NACK)$/i;

function underOperator(name: string, operand: unknown, around: object): string | undefined {
  switch (name) {
    case '$all':
    case '$some':
    case '$unordered':
    case '$eq':
      return refusalIn(operand);
    case '$contains':
      // A part of a text is a mere word.
      return typeof operand === 'string' ? undefined : refusalIn(operand);
    case '$each':
      // An empty list matches, unless its length is checked.
      return '$length' in around ? refusalIn(operand) : undefined;
    case '$any': {
      const reasons = Array.isArray(operand) ? operand.map(refusalIn) : [];
      return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
    }
    case '$path':
      return firstOf(Object.entries((operand ?? {}) as object), ([path, inner]) =>
        refusalIn(nested(path, inner)),
      );
    default:
      return undefined;
  }
}

/** `json.error.code` as nested maps. */
function nested(path: string, inner: unknown): unknown {
  const keys = path.split(/[.[\]"']+/).filter((key) => key !== '' && key !== '$');
  return keys.reduceRight<unknown>((value, key) => (/^\d+$/.test(key) ? [value] : { [key]: value }), inner);
}

function underKey(written: string, pattern: unknown): string | undefined {
  const key = written.toLowerCase().replaceAll(/[-_]/g, '');
  const rule = rules.find(({ keys }) => keys.includes(key));
  if (rule?.holds(pattern)) return rule.describe(written);
  return wordKeys.includes(key) && isRefusingWord(pattern)
    ? `\`${written}\` is ${JSON.stringify(pattern)}`
    : undefined;
}

interface KeyRule {
  readonly keys: readonly string[];
  holds(pattern: unknown): boolean;
  describe(key: string): string;
}

const successes = range(100, 399);
const errors = range(400, 599);
const otherCodes = range(1, 255);

const rules: readonly KeyRule[] = [
  {
    keys: ['status', 'statuscode', 'httpstatus'],
    holds: (pattern) => acceptsOne(pattern, errors) && !acceptsOne(pattern, successes),
    describe: (key) => `\`${key}\` is 400 or above`,
  },
  {
    keys: ['exitcode'],
    holds: (pattern) => acceptsOne(pattern, otherCodes) && !accepts(pattern, 0),
    describe: (key) => `\`${key}\` is not 0`,
  },
  {
    keys: ['iserror'],
    holds: (pattern) => accepts(pattern, true) && !accepts(pattern, false) && !accepts(pattern, undefined),
    describe: (key) => `\`${key}\` is true`,
  },
  {
    keys: ['error', 'errors'],
    holds: (pattern) => !accepts(pattern, undefined) && !isEmpty(pattern),
    describe: (key) => `there is an \`${key}\``,
  },
  {
    keys: ['ok', 'success', 'succeeded', 'accepted', 'allowed', 'authorized', 'authorised', 'valid'],
    holds: (pattern) => accepts(pattern, false) && !accepts(pattern, true) && !accepts(pattern, undefined),
    describe: (key) => `\`${key}\` is false`,
  },
];

/** Keys under which programs give the outcome in one word. */
const wordKeys: readonly string[] = [
  ...['status', 'state', 'outcome', 'result', 'decision', 'verdict'],
  ...['type', 'kind', 'code', 'reason', 'event', 'cause', 'failurereason'],
];
const refusingWord =
  /(?:^|[_.:-])(?:err|error|errors|fail|failed|failure|reject|rejected|refused|refusal|denied|blocked|forbidden|unauthori[sz]ed|invalid|malformed|illegal|aborted|expired|exceeded|timeout|overload|conflict|unavailable|not[_-](?:found|allowed|permitted)|timed[_-]out|too[_-]\w+)(?:$|[_.:-])/i;

/** One word, not a sentence that has it; of several, each. */
function isRefusingWord(pattern: unknown): boolean {
  if (typeof pattern === 'string') return !/[\s$]/.test(pattern) && refusingWord.test(pattern);
  const choices: unknown = typeof pattern === 'object' && pattern ? Reflect.get(pattern, '$any') : undefined;
  return Array.isArray(choices) && choices.length > 0 && choices.every(isRefusingWord);
}

function isEmpty(pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.length === 0;
  if (!isContainer(pattern)) return !pattern || open(pattern);
  return !('$present' in pattern) && accepts(pattern, null);
}

/** A reference that only an attempt can fill in. */
function open(pattern: unknown): boolean {
  return typeof pattern === 'string' && /^\$\{[^}]*\}$/.test(pattern);
}

function acceptsOne(pattern: unknown, values: readonly number[]): boolean {
  return typeof pattern === 'number'
    ? values.includes(pattern)
    : values.some((value) => accepts(pattern, value));
}

/** A pattern that cannot be matched against a value accepts nothing that we know of. */
function accepts(pattern: unknown, value: unknown): boolean {
  return checkPattern(pattern, 'resolved').length === 0 && matchPattern(pattern, value).matched;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function firstOf<Item>(items: readonly Item[], look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
