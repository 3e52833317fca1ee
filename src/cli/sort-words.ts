/** Sorts the words of a call into options, plain words and the command after `--`. */
import { parseArgs } from 'node:util';
import { nearest } from '../kernel/nearest.ts';
import { Problem } from '../kernel/problem.ts';
import { commonOptions, type OptionSpec, type Verb } from './verb.ts';

export interface SortedWords {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
  readonly command: readonly string[];
}

export function sortWords(name: string, verb: Verb, argv: readonly string[]): SortedWords {
  const dashes = argv.indexOf('--');
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  const command = dashes < 0 ? [] : argv.slice(dashes + 1);
  const known = { ...commonOptions, ...verb.options };
  const { values, positionals, tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(Object.entries(known).map(([key, spec]) => [key, forParser(spec)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens)
    if (token.kind === 'option') checkOption(name, token.rawName, known, token.name, token.value);
  const options = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value]),
  ) as Record<string, string | boolean | undefined>;
  if (options.help !== true) checkWords(name, verb, positionals, dashes < 0 ? undefined : command);
  return { options, words: positionals, command };
}

function forParser({ type, short, many }: OptionSpec): {
  type: 'boolean' | 'string';
  short?: string;
  multiple?: true;
} {
  return { type, ...(short === undefined ? {} : { short }), ...(many ? { multiple: true as const } : {}) };
}

function checkOption(
  name: string,
  rawName: string,
  known: Readonly<Record<string, OptionSpec>>,
  option: string,
  value: string | undefined,
): void {
  const where = `shakedown ${name} ${rawName}`;
  const spec = Object.hasOwn(known, option) ? known[option] : undefined;
  if (!spec) {
    const close = nearest(option, Object.keys(known));
    throw new Problem({
      code: 'usage.unknown-option',
      where,
      what: `\`${name}\` has no option \`${rawName}\``,
      allowed: Object.keys(known)
        .map((key) => `--${key}`)
        .join(', '),
      next: close ? `did you mean \`--${close}\`?` : `see \`shakedown ${name} --help\``,
    });
  }
  if (spec.type === 'string' && (value === undefined || value === '')) {
    throw badValue(where, `\`${rawName}\` needs a value`, `${rawName} ${spec.value ?? 'VALUE'}`);
  }
  if (spec.type === 'boolean' && value !== undefined) {
    throw badValue(where, `\`${rawName}\` takes no value, and was given ${JSON.stringify(value)}`, rawName);
  }
}

function checkWords(
  name: string,
  verb: Verb,
  words: readonly string[],
  command: readonly string[] | undefined,
): void {
  if (words.length > verb.words.atMost) {
    const extra = words[verb.words.atMost];
    throw badValue(
      `shakedown ${name}`,
      `the word ${JSON.stringify(extra)} is one too many`,
      `shakedown ${name} ${verb.usage}`,
    );
  }
  if (command && !verb.takesCommand) {
    throw badValue(`shakedown ${name}`, 'it takes no command after `--`', `shakedown ${name} ${verb.usage}`);
  }
  if (command?.length === 0) {
    throw badValue(
      `shakedown ${name} --`,
      'no command stands after `--`',
      `shakedown ${name} -- COMMAND [WORD…]`,
    );
  }
}

function badValue(where: string, what: string, allowed: string): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where,
    what,
    allowed,
    next: `call it as shown, or see \`${where.split(' ').slice(0, 2).join(' ')} --help\``,
  });
}
