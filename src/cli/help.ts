/** The help texts, generated from the verbs. */
import { commonOptions, type Verb } from './call/verb.ts';
import { findVerb, verbNames } from './verbs.ts';

export async function generalHelp(): Promise<string> {
  const verbs = await Promise.all(
    verbNames.map(async (name) => [name, (await findVerb(name))?.summary ?? ''] as const),
  );
  return [
    'shakedown: boots a whole agent system for real in a disposable environment, and leaves nothing behind',
    '',
    'usage: shakedown VERB [OPTION…]',
    '',
    ...table(verbs),
    '',
    'Help for a verb: shakedown VERB --help. Start with: shakedown init',
    'Exit codes: 0 all passed, 1 the system failed, 2 usage or config, 3 not booted, 6 the suite is not honest, 7 something left',
    'behind, 70 a bug in Shakedown, 130 and 143 interrupted.',
  ].join('\n');
}

export function verbHelp(name: string, verb: Verb): string {
  const options = Object.entries({ ...verb.options, ...commonOptions }).map(([key, spec]) => {
    const short = spec.short ? `-${spec.short}, ` : '';
    return [`${short}--${key}${spec.value === undefined ? '' : ` ${spec.value}`}`, spec.help] as const;
  });
  return [
    `shakedown ${name}: ${verb.summary}`,
    '',
    `usage: shakedown ${name} ${verb.usage}`.trimEnd(),
    '',
    ...table(options),
  ].join('\n');
}

function table(rows: ReadonlyArray<readonly [string, string]>): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
