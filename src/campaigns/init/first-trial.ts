/** The text of a first trial: what services answered, and that the others run. Pure. */
import { isAttached } from '../../system/attached/attached-services.ts';
import { printValue } from '../../system/derive/print-yaml.ts';
import type { System } from '../../system/system.ts';
import type { Answered } from './ask-services.ts';

/** Undefined where nothing of the system can be looked at. */
export function firstTrial(
  source: string,
  system: System,
  answered: readonly Answered[],
  replaceable: ReadonlySet<string> = new Set(),
): string | undefined {
  const asked = new Set(answered.map(({ target }) => target.split('.')[0]));
  const silent = system.services
    .filter((one) => !asked.has(one.name) && !isAttached(one))
    .map(({ name }) => name);
  // What is replaced by a resource is no process any more; alone, it is still looked at.
  const lasting = silent.filter((name) => !replaceable.has(name));
  const others = answered.length + lasting.length > 0 ? lasting : silent;
  const [first] = others;
  if (answered.length + others.length === 0) return undefined;
  // A trial has to reach the system.
  const restart = answered.length === 0 && first !== undefined ? [`  - restart: ${first}`] : [];
  return [
    '# yaml-language-server: $schema=../node_modules/shakedown/schema/trial.schema.json',
    `# Written by \`shakedown init --from ${source}\`, from what the system answered when it was booted once.`,
    '# It says what is. Make it say what must be: another request, and what has to be true after it.',
    'id: first',
    'title: Each service answers, or runs',
    'tags: [smoke]',
    '',
    'steps:',
    ...answered.flatMap(({ target, path }) => [
      `  - http: GET ${target}${path}`,
      `    as: ${nameOf(target)}-answer`,
    ]),
    ...restart,
    '',
    'checks:',
    ...answered.flatMap(({ target, expect }) => [
      `  ${nameOf(target)}-answers:`,
      `    exchange: ${nameOf(target)}-answer`,
      `    expect: ${printValue(expect)}`,
    ]),
    ...others.flatMap((name) => [`  ${name}-runs:`, `    process: ${name}`, '    expect: { running: true }']),
    '',
  ].join('\n');
}

function nameOf(target: string): string {
  return target.replace('.', '-');
}
