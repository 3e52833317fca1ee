/** Parses the arguments of a call into options, positionals and the command after `--`. */
import { parseArgs } from 'node:util';
import { defined } from '../../kernel/defined.ts';
import { nearest } from '../../kernel/nearest.ts';
import { badUsage, Problem } from '../../kernel/problem.ts';
import { commonOptions, type OptionSpec, type Verb } from './verb.ts';

export function parseArguments(name: string, verb: Verb, argv: readonly string[]) {
  const dashes = argv.indexOf('--');
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  const command = dashes < 0 ? [] : argv.slice(dashes + 1);
  const known = { ...commonOptions, ...verb.options };
  const { values, positionals, tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(
      Object.entries(known).map(([key, { value, short, many }]) => {
        const type = value === undefined ? ('boolean' as const) : ('string' as const);
        return [key, defined({ type, short, multiple: many })];
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens)
    if (token.kind === 'option') checkOption(name, token.rawName, known, token.name, token.value);
  const options = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value]),
  ) as Record<string, string | boolean | undefined>;
  if (options.help !== true) checkPositionals(name, verb, positionals, dashes < 0 ? undefined : command);
  return { options, positionals, command };
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
  if (spec.value !== undefined && (value === undefined || value === ''))
    throw badValue(where, `\`${rawName}\` needs a value`, `${rawName} ${spec.value}`);
  if (spec.value === undefined && value !== undefined)
    throw badValue(where, `\`${rawName}\` takes no value, got ${JSON.stringify(value)}`, rawName);
}

function checkPositionals(
  name: string,
  verb: Verb,
  positionals: readonly string[],
  command: readonly string[] | undefined,
): void {
  const where = `shakedown ${name}`;
  const extra = positionals[verb.positionals ?? 0];
  if (extra !== undefined)
    throw badValue(where, `unexpected argument ${JSON.stringify(extra)}`, `${where} ${verb.usage}`);
  // As an unset variable of a script gives it; an empty beginning of ids would select everything.
  if (positionals.includes(''))
    throw badValue(where, 'an argument is empty', `${where} ${verb.usage}, without empty arguments`);
  if (command && !verb.takesCommand)
    throw badValue(where, 'it takes no command after `--`', `${where} ${verb.usage}`);
  if (command?.length === 0)
    throw badValue(`${where} --`, 'there is no command after `--`', `${where} -- COMMAND [WORD…]`);
}

function badValue(where: string, what: string, allowed: string): Problem {
  const help = `${where.split(' ').slice(0, 2).join(' ')} --help`;
  return badUsage(where, what, allowed, `call it as shown, or see \`${help}\``);
}
