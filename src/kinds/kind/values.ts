/** Basic values of documents; the message of each says what is allowed. */
import { z } from 'zod';
import { durationPattern, parseDuration } from '../../kernel/duration.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';

/** Advice about a value beside the message. */
export interface Advice {
  readonly code?: ProblemCode;
  readonly what?: string;
  readonly next?: string;
  /** Point at the key rather than at the value. */
  readonly at?: 'key';
  /** Something is missing; not reported again where a misspelt key already was. */
  readonly absence?: boolean;
}

export const reservedNames = ['self', 'env', 'run', 'environment', 'config', 'matrix', 'it'] as const;
export const namePattern = /^[a-z][a-z0-9-]*$/;
export const longestName = 40;

const nameRule = `a name of lower-case letters, digits and -, beginning with a letter, at most ${longestName} long`;
const longestDurationMs = 24 * 3_600_000;

export const name = z
  .string(nameRule)
  .regex(namePattern, nameRule)
  .max(longestName, nameRule)
  .refine((text) => !(reservedNames as readonly string[]).includes(text), {
    error: `${nameRule}, and none of ${reservedNames.join(', ')}`,
    params: { next: 'choose another name; this one has a meaning of its own in `${…}`' } satisfies Advice,
  });

export const text = z.string('a text').min(1, 'a text that is not empty');

const durationRule = 'a duration such as `250ms`, `15s` or `2m`, at most `24h`';
export const duration = z
  .string(durationRule)
  .regex(durationPattern, { error: durationRule, abort: true })
  .refine((written) => {
    const ms = parseDuration(written) ?? 0;
    return ms > 0 && ms <= longestDurationMs;
  }, durationRule);

const variableRule = 'the name of an environment variable: letters, digits and _, not beginning with a digit';
export const variableName = z.string(variableRule).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, variableRule);

/** A regular expression of JavaScript, without slashes. */
export const expression = z.string('a regular expression, as a text').superRefine((written, context) => {
  const fault = expressionFault(written);
  if (fault !== undefined) {
    context.addIssue(
      badExpression(
        `${JSON.stringify(written)} is not a regular expression: ${fault}`,
        'put \\ before a literal bracket',
      ),
    );
  }
});

/** With one group, which captures the port. */
export const portExpression = expression.superRefine((written, context) => {
  if (expressionFault(written) !== undefined) return;
  const groups = (new RegExp(`${written}|`).exec('')?.length ?? 1) - 1;
  if (groups !== 1)
    context.addIssue(
      badExpression(
        `${JSON.stringify(written)} has ${groups} groups`,
        'put brackets around the port and nothing else: `:(\\d+)`',
      ),
    );
});

/** A whole number; the rule says from where to where. */
export function whole(rule: string, least: number, most?: number): z.ZodInt {
  const atLeast = z.int(rule).min(least, rule);
  return most === undefined ? atLeast : atLeast.max(most, rule);
}

/** Keys that may be absent: one of several words, true or false, true or nothing, a list. */
export const choice = <const Word extends string>(words: readonly Word[], what: string) =>
  z
    .enum(words, `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)
    .describe(what)
    .optional();
export const flag = (what: string) => z.boolean('true or false').describe(what).optional();
export const mark = (what: string) => z.literal(true, 'true').describe(what).optional();
export const listOf = <Item extends z.ZodType>(item: Item, rule: string, what: string) =>
  z.array(item, rule).describe(what).optional();

/** An object that refuses every other key; the message of that refusal is the list of its keys. */
export function closed<Shape extends z.core.$ZodShape>(
  shape: Shape,
  what: string,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? Object.keys(shape).join(', ')
        : `${what}: a map with the keys ${Object.keys(shape).join(', ')}`,
  });
}

function expressionFault(written: string): string | undefined {
  try {
    new RegExp(written);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Invalid regular expression: (?:\/.*\/\w*: )?/s, '');
  }
}

function badExpression(what: string, next: string) {
  const params: Advice = { code: 'config.bad-pattern', what, next };
  return issueOf('a regular expression as JavaScript understands it', params);
}

/** An issue that a document finds by itself, with one of its keys or with all of it. */
export function issueOf(message: string, params: Advice, key?: string) {
  return { code: 'custom' as const, message, path: key === undefined ? [] : [key], params };
}
