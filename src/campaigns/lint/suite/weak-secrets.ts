/** Secrets that cannot be told from ordinary text: too short, few digits, or a word that the config says itself. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { shortestSecret } from '../../../journal/redaction.ts';
import { readConfig } from '../../../system/read-config.ts';
import type { System } from '../../../system/system.ts';
import { slashed } from '../place-of-part.ts';

export async function weakSecretFindings(
  system: System,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly LintFinding[]> {
  const words = new Set(JSON.stringify(system).match(/\w+/g));
  const weak = system.secrets.flatMap((name) => {
    const fault = weakness(env[name], words);
    return fault === undefined ? [] : [[name, fault] as const];
  });
  if (weak.length === 0) return [];
  const { source } = await readConfig(system.file);
  return weak.map(([name, fault]) => ({
    kind: 'weak-secret',
    level: 'warning',
    file: slashed(source.file.slice(system.folder.length + 1)),
    line: source.keyPosition(['secrets']).line,
    text: `the secret ${name}, as it is set here, ${fault}`,
    why: 'ordinary text and numbers are the same, so that a token stands where nothing was secret, or the value where it should not',
    next: `give ${name} a value for trials that is at least eight characters long, with letters and digits`,
  }));
}

function weakness(value: string | undefined, words: ReadonlySet<string>): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (value.length < shortestSecret) return `has less than ${shortestSecret} characters, and is not hidden`;
  if (/^\d{1,9}$/.test(value)) return 'is a short number, and is hidden only where no digit stands beside it';
  return words.has(value)
    ? 'is a word of the config, and is not hidden where it stands for itself'
    : undefined;
}
