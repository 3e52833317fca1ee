/** Reads the level that a line of a log gives itself: in its head, before the message begins, or as a key of its fields. Pure. */
import { levelInFields, rankOf, rankOfValue } from './level-in-fields.ts';
import { prefixLength } from './line-prefix.ts';

export type Rank = 'grave' | 'slight';

export interface Head {
  /** Undefined where the line has no level of its own. */
  readonly rank?: Rank;
  /** Celery writes what a task prints as a WARNING of its process: the message, which may be a line with a level of its own. */
  readonly printed?: string;
}

/** A message that is an error by its first words, in any program. */
export type IsErrorStart = (message: string) => boolean;

const mostTokens = 40;

const upper =
  'TRACE|DEBUG[1-5]?|VERBOSE|INFO|INFORMATION|NOTICE|WARN|WARNING|SUCCESS|ERROR|FATAL|CRITICAL|PANIC';
/** In capitals, perhaps behind a time, and what may follow it: `INFO`, `ERROR:root:lost`, `INFO[0000]`, `12:00:01:INFO:x`, `app.ERROR:`. */
const capitals = new RegExp(`^(?:[\\d:./,-]*[:,]|<|[\\w-]+\\.(?=[A-Z]+:))?(${upper})(?![-=/\\w])`);
const celery = new RegExp(`(?:^|\\s)(${upper})/[-\\w]+\\]?$`);
/** Those that are words of prose, too, or only short, need a punctuation mark after them. */
const signed = /^(?:(SEVERE|EMERG|CRIT|ERR)|LOG|STATEMENT|DETAIL|HINT|CONTEXT|QUERY):$/;
const cutShort = /^(?:(EROR|ERRO|FATA|PANI|CRIT)|TRAC|DEBU|DBUG|WARN|INFO)\[\d/;
const afterTime = /^(?:(ERR|FTL|PNC)|VRB|TRC|DBG|INF|WRN)\]?$/;
/** glog, klog, absl and TensorFlow. The last two log harmless lines as `E`: only that of the first two counts. */
const letter =
  /^(?:([EF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+|[IW](?:\d{4} \d\d:\d\d:\d+\.\d+ +\d+)?) [^\s\]]+\.(?:go|cc|py):\d+\] /;
const warning = /^(?!Unhandled)[A-Z]\w*Warning:$|^Warning:$/;
const small = /^(?:trace|debug|verbose|info|information|notice|warn|warning):$/;
const zap = /^(?:error|d?panic|fatal)$/i;

const time = /\d:\d\d/;
const timeWord = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec),?$/;
const pair = /^([\w.@-]+)=("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"']\S*)/;

/**
 * Goes through what comes before a message: times, names, numbers, brackets, signs, fields. The first level there is that of the
 * line. Prose ends it: a second plain word, one with a capital letter, or one in quotes.
 */
export function headOf(line: string, isErrorStart: IsErrorStart = () => false): Head {
  const priority = /^<(\d{1,3})>\S/.exec(line)?.[1];
  if (priority !== undefined && Number(priority) % 8 > 3) return { rank: 'slight' };
  const start = prefixLength(line);
  let rest = line;
  let words = 0;
  let hasTime = false;
  // What is indented is a part of something that began above.
  let isBegun = /^\s/.test(line);
  for (let count = 0; count < mostTokens; count += 1) {
    const gap = /^\s*/.exec(rest)?.[0] ?? '';
    rest = rest.slice(gap.length);
    const isStart = line.length - rest.length === start;
    if (rest === '') return {};
    if (isStart && isErrorStart(rest)) return { rank: 'grave' };
    if (rest.startsWith('{')) {
      const fields = levelInFields(rest);
      if (fields !== undefined) return fields === 'none' ? {} : { rank: fields };
    }
    const token = tokenOf(rest);
    const after = rest.slice(token.length);
    const isMessage = isStart || (words === 0 && !isBegun);
    const isField = gap.endsWith('\t') && after.startsWith('\t');
    const rank = rankOfToken(token, { rest, after, hasTime, isStart, isMessage, isField });
    if (rank) return rank === 'slight' && celery.test(token) ? { rank, printed: after } : { rank };
    const kind = kindOf(token, hasTime);
    if (kind === 'prose') return {};
    if (kind === 'word') words += 1;
    if (words > 1) return {};
    hasTime ||= time.test(token);
    if (token === '|') isBegun = /^\s{2}/.test(after);
    rest = after;
  }
  return {};
}

function tokenOf(rest: string): string {
  return (
    /^(?:\[[^[\]]*\]|\([^()]*\)|\|)/.exec(rest)?.[0] ??
    pair.exec(rest)?.[0] ??
    /^[^\s|]+/.exec(rest)?.[0] ??
    ''
  );
}

interface Place {
  readonly rest: string;
  readonly after: string;
  readonly hasTime: boolean;
  /** It comes first, or directly behind a known prefix. */
  readonly isStart: boolean;
  /** Nothing but the head of a line comes before it. */
  readonly isMessage: boolean;
  /** Between two tabs. */
  readonly isField: boolean;
}

function rankOfToken(
  token: string,
  { rest, after, hasTime, isStart, isMessage, isField }: Place,
): Rank | undefined {
  const inner = /^\[([^[\]]*)\]$/.exec(token)?.[1];
  if (inner !== undefined) return rankInBrackets(inner);
  const [, key, value] = pair.exec(token) ?? [];
  if (key !== undefined && value !== undefined) return rankOfPair(key, unquoted(value));
  const level = capitals.exec(token)?.[1] ?? celery.exec(token)?.[1];
  if (level !== undefined) return rankOfValue(level);
  const short =
    (isMessage ? letter.exec(rest) : null) ??
    signed.exec(token) ??
    cutShort.exec(token) ??
    (hasTime ? afterTime.exec(token) : null);
  if (short?.[1] !== undefined) return isStart ? 'grave' : undefined;
  if (short) return 'slight';
  if (warning.test(token)) return 'slight';
  if (isField && (zap.test(token) || rankOf(token) === 'slight')) return rankOf(token);
  return isMessage && small.test(token) && /^(?:\s|$)/.test(after) ? 'slight' : undefined;
}

/** A finding may have a grave severity in a line that is not an error. */
function rankOfPair(key: string, value: string): Rank | undefined {
  if (key === 'severity') return rankOfValue(value) === 'slight' ? 'slight' : undefined;
  return /^(?:level|lvl|levelname|log\.level)$/.test(key) ? rankOfValue(value) : undefined;
}

/** `[error    ]`, `[proxy:error]` of Apache, `[E 310517 09:41:07 web:12]` of Tornado, `[12:00:01 ERR]`, `[2031-05-17 09:41:07,120: INFO/MainProcess]`. */
function rankInBrackets(inner: string): Rank | undefined {
  const word = inner.trim();
  const big = /^([DIWEC]) [-\d]+ \d\d:\d\d:/.exec(word)?.[1];
  if (big !== undefined) return 'EC'.includes(big) ? 'grave' : 'slight';
  const name = /^(?:\w+:(?=[a-z]+$))?(\w+)$/.exec(word)?.[1];
  if (name === undefined) return headOf(word).rank;
  // In small letters, the others are words of prose, too.
  const isLevel = /^(?:error|fatal|critical|crit|emerg)$/i.test(name) || /^(?!ALERT)[A-Z]+$/.test(name);
  return isLevel || rankOf(name) === 'slight' ? rankOf(name) : undefined;
}

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, '$2');
}

/** What a token that is not a level says about the head. */
function kindOf(token: string, hasTime: boolean): 'sign' | 'word' | 'prose' {
  if (token === '>' || (/["'`]/.test(token) && !pair.test(token))) return 'prose';
  if (timeWord.test(token) || /^[A-Z],$/.test(token) || (hasTime && /^[A-Z]{1,5}$/.test(token)))
    return 'sign';
  if (!/^\p{L}+[,;.!?]*$/u.test(token)) return 'sign';
  return /^[A-Z][a-z]+$|[,;.!?]$/.test(token) ? 'prose' : 'word';
}
