/** Prints requirements as the YAML file that a team keeps: guesses are marked with their reason, to be corrected. */
import type { Requirement } from './requirement.ts';

/** `head` is put above it as a comment. */
export function requirementsText(requirements: readonly Requirement[], head: readonly string[]): string {
  const entries = requirements.map((requirement) => entryLines(requirement).join('\n'));
  return [
    '# yaml-language-server: $schema=node_modules/shakedown/schema/requirements.schema.json',
    ...head.map((line) => `# ${line}`),
    'requirements:',
    entries.join('\n\n'),
    '',
  ].join('\n');
}

function entryLines(requirement: Requirement): readonly string[] {
  const { id, title, text, priority, failPath, failPathFrom, source, deferred, dependsOn } = requirement;
  const lines: (string | undefined)[] = [
    `id: ${scalar(id)}`,
    line('title', title),
    line('text', text),
    line('priority', priority),
    failPath
      ? `failPath: true${failPathFrom === undefined ? '' : ` # because of “${failPathFrom}”`}`
      : undefined,
    source && line('source', source.section === undefined ? source.file : `${source.file}#${source.section}`),
    ...(deferred ? ['deferred:', `  reason: ${scalar(deferred.reason)}`] : []),
    deferred?.until === undefined ? undefined : `  until: ${scalar(deferred.until)}`,
    dependsOn.length === 0 ? undefined : `dependsOn: [${dependsOn.map(scalar).join(', ')}]`,
    line('method', requirement.method),
    line('antiPattern', requirement.antiPattern),
  ];
  const present = lines.filter((one) => one !== undefined);
  return present.map((one, index) => `${index === 0 ? '  - ' : '    '}${one}`);
}

function line(key: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${key}: ${scalar(value)}`;
}

/** Plain where nothing in it is YAML syntax, otherwise in double quotes, which YAML reads like JSON. */
function scalar(value: string): string {
  const isPlain =
    /^[A-Za-z][\w ./()+'<>=;-]*$/.test(value) &&
    !/\s$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
