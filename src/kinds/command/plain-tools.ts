/** Whether a command runs nothing but tools of the machine on texts of the test: no system decides what they print. */
import { argvOf, type Spec } from '../kind/step-kind.ts';
import { programsIn, shellIn, withoutQuoted } from './shell-script.ts';

/** They say something about their words and the files that these name, and nothing else. */
const plainTools = new Set(
  'true false : test [ echo printf exit set seq expr basename dirname cat head tail wc grep sort uniq cut tr rev nl'.split(
    ' ',
  ),
);
/** Elsewhere than in the folder of the trial, or built by another program. */
const leavesFolder = /(?:^|[\s"'=<>:])(?:[/~]|\.\.(?:\/|$))|[<>]\(|<<|(?<!2)>(?!\s*\/dev\/null|&)/;
const isUrl = /^[a-z][a-z\d+.-]*:\/\//i;

/** Undefined where something else may decide; otherwise the files that it reads, or other words. */
export function ownWords({ command, stdin = '', env, cwd }: Spec): readonly string[] | undefined {
  const programs = programsIn(command);
  if (programs.length === 0 || !programs.every((program) => plainTools.has(program))) return undefined;
  if (cwd !== undefined) return undefined;
  const { script } = shellIn(command) ?? {};
  const settings = new Map(Object.entries((env ?? {}) as Spec).map(([name, value]) => [name, String(value)]));
  const written = script ?? argvOf(command).slice(1).join('\n');
  const plain = written.replaceAll(/[<>]\s*\/dev\/null/g, '');
  // Only a shell knows variables; of one that is not the step's own, nothing is known.
  const names = script === undefined ? [] : [...plain.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
  const values = names.map((name) => settings.get(name));
  if (values.includes(undefined) || values.some((value) => /^[/~.]/.test(value ?? ''))) return undefined;
  const words = plain.split(/\s+/).filter((word) => !isUrl.test(word.replaceAll(/['"]/g, '')));
  if (leavesFolder.test(words.join(' ')) || /\$\(|`/.test(withoutQuoted(plain))) return undefined;
  return [...words.map((word) => word.replaceAll(/['"]/g, '')), String(stdin)];
}
