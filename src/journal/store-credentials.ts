/** Passwords in what passed between a service and its store, whether or not declared as a secret: not kept. Pure. */
import { cutMark } from '../kernel/cut-mark.ts';
import { defined } from '../kernel/defined.ts';
import { isMap } from '../kernel/is-map.ts';
import { notRead } from '../kernel/not-kept.ts';
import type { CallEvent } from './call-event.ts';

export type StoreParts = Pick<CallEvent, 'protocol' | 'method' | 'statement' | 'params' | 'result' | 'error'>;

export function withoutStoreCredentials<Call extends StoreParts>(call: Call): Call {
  const { protocol, method, statement, params, result, error } = call;
  if (protocol === 'postgres') {
    const shown = [statement, ...Object.values(isMap(error) ? error : {})];
    if (!shown.some((text) => typeof text === 'string' && /password/i.test(text))) return call;
    return {
      ...call,
      ...defined({ statement: statement && withoutPassword(statement) }),
      ...(isMap(error) ? { error: mapped(error, (_, text) => withoutPassword(text)) } : {}),
    };
  }
  if (protocol !== 'resp' || result === undefined || !mayAnswerPassword.has(method)) return call;
  const asked = Array.isArray(params) ? String(params[0]).toUpperCase() : '';
  if (method === 'ACL') return ofUsers.has(asked) ? { ...call, result: hidden } : call;
  return { ...call, result: withoutSettings(result) };
}

const hidden = notRead('credentials are not kept');

/** A transaction answers for all of its commands. */
const mayAnswerPassword: ReadonlySet<string> = new Set(['CONFIG', 'EXEC', 'ACL']);
const ofUsers: ReadonlySet<string> = new Set(['GENPASS', 'GETUSER', 'LIST']);
const secretSetting = /^(?:requirepass|masterauth|tls-(?:client-)?key-file-pass)$/i;

/** One that is empty is none. */
function withoutSettings(value: unknown, name?: unknown): unknown {
  if (typeof value === 'string')
    return typeof name === 'string' && secretSetting.test(name) && value !== '' ? hidden : value;
  if (Array.isArray(value)) return value.map((item, index) => withoutSettings(item, value[index - 1]));
  return isMap(value) ? mapped(value, (key, inner) => withoutSettings(inner, key)) : value;
}

function mapped(
  map: Readonly<Record<string, unknown>>,
  change: (key: string, value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}

/**
 * The password of a statement that stands by itself has its place. In one that is made by another, quotes are doubled, or it is
 * put together from parts: what follows is not kept.
 */
function withoutPassword<Value>(text: Value): Value | string {
  if (typeof text !== 'string') return text;
  const literal = inLiteral.exec(text);
  const end = endOfSteps(text, madeStatement) ?? (literal ? literal.index + literal[0].length : undefined);
  return end === undefined ? text : `${text.slice(0, end)}${cutMark}`;
}

/** One after the other, because a single expression would try all of them at all places. */
function endOfSteps(text: string, steps: readonly RegExp[]): number | undefined {
  let end = 0;
  for (const step of steps) {
    const found = step.exec(text.slice(end));
    if (!found) return undefined;
    end += found.index + found[0].length;
  }
  return end;
}

const madeStatement = [
  /\b(?:execute|format)\b/i,
  /\b(?:role|user)\b/i,
  new RegExp(`\\bpassword(?!\\s*${cutMark})\\s*(?=['|%])`, 'i'),
];
/** More quotes than one, or something behind the place that was taken for the end of it. */
const inLiteral = new RegExp(`\\bpassword\\s+(?=''[^'\\s;,)$]|'${cutMark}'[^\\s;,)$])`, 'i');
