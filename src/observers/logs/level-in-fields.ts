/** The level of a line that is JSON, or an object as Node prints it: that of the line itself, not of what it carries. Pure. */
import { isContainer, parseExactJson } from '../../kernel/exact-json.ts';
import type { JsonMap } from '../../kernel/is-map.ts';
import { orElse } from '../../kernel/or-else.ts';
import type { Rank } from './level-of.ts';

const grave =
  /^(?:error|err|eror|erro|fatal|fata|ftl|critical|crit|alert|emerg|emergency|panic|pani|pnc|dpanic)$/;
const slight =
  /^(?:trace|trac|trc|debug[1-5]?|debu|dbug|dbg|verbose|vrb|info|inf|information|informational|notice|note|warn|wrn|warning)$/;
/** Only as the value of a level: elsewhere they are names. */
const slightValue = /^(?:silly|fine|finer|finest|http|log|system|default|success)$/;

/** `ERROR+2` is how Go's slog writes a level between two. */
export function rankOf(level: string): Rank | undefined {
  const word = level.toLowerCase().replace(/[+-]\d+$/, '');
  return grave.test(word) || level === 'SEVERE' ? 'grave' : slight.test(word) ? 'slight' : undefined;
}

export function rankOfValue(level: string): Rank | undefined {
  return rankOf(level) ?? (slightValue.test(level.toLowerCase()) ? 'slight' : undefined);
}

const levelKeys = 'level lvl levelname level_name Level LogLevel log.level @level @l L'.split(' ');
/** Only where there is no level: an alert may have a severity. */
const severityKeys = ['severity', 'severity_text', 'severityText', 'SeverityText'];
const keysInText = [...levelKeys, ...severityKeys].map((key) => key.replace('.', '\\.')).join('|');

/** In the beginning of what is cut, or is JSON only at first sight. */
const ownKey = new RegExp(`^\\{[^{}]*?"(?:${keysInText})"\\s*:\\s*"?(\\w+)`);
/** As winston prints it: a message is beside it. */
const ofNode = /^\{ (?=[^{}]*?\b(?:message|msg): )(?:[^'{}]|'(?:[^'\\]|\\.)*')*?\blevel: '(\w+)'/;
const shownChars = 4_096;

/** Undefined where these are not fields, `none` where they have no level. */
export function levelInFields(text: string): Rank | 'none' | undefined {
  const fields = parsed(text);
  if (fields) return levelOfMap(fields) ?? 'none';
  const start = text.slice(0, shownChars);
  const written = ownKey.exec(start)?.[1] ?? ofNode.exec(start)?.[1];
  if (written === undefined) return undefined;
  return rankOfNumber(Number(written)) ?? rankOfValue(written);
}

function levelOfMap(fields: JsonMap): Rank | undefined {
  const record = mapIn(fields, 'record');
  const levels = [
    ...levelKeys.map((key) => fields[key]),
    mapIn(fields, 'log')?.level,
    mapIn(fields, '@fields')?.level,
    // loguru
    record && mapIn(record, 'level')?.name,
  ];
  for (const level of levels) {
    const rank = typeof level === 'string' ? rankOfValue(level) : rankOfNumber(level);
    if (rank) return rank;
  }
  const severities = severityKeys.flatMap((key) => {
    const value = fields[key];
    return typeof value === 'string' ? (rankOfValue(value) ?? []) : [];
  });
  // Serilog writes no level where it is Information.
  return severities[0] ?? ('@t' in fields && !('@l' in fields) ? 'slight' : undefined);
}

/** As pino and bunyan count: 50 is an error. */
function rankOfNumber(level: unknown): Rank | undefined {
  if (typeof level !== 'number' || level % 10 !== 0 || level < 10 || level > 60) return undefined;
  return level >= 50 ? 'grave' : 'slight';
}

function mapIn(fields: JsonMap, key: string): JsonMap | undefined {
  const value = fields[key];
  return isContainer(value) ? (value as JsonMap) : undefined;
}

function parsed(text: string): JsonMap | undefined {
  // Some only look like JSON.
  return text.trimEnd().endsWith('}') ? orElse(() => parseExactJson(text) as JsonMap, undefined) : undefined;
}
