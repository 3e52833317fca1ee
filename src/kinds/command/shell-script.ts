/** What a shell script decides by itself, whatever its programs do: `cmd || true`, `cmd; true`, `cmd | cat`. */

const shells = /(?:^|\/)(?:ba|da|z|k)?sh$/;
/** Commands that succeed whatever is inside of them. */
const declares = /^(?:export|local|declare|readonly)\b/;
/** Commands that always succeed. */
const constant =
  /^(?:true|:|exit 0|return 0|wait|(?:echo|printf|export|local|declare|readonly)\b.*|(?:\[|test) \$\? -ge 0(?: \])?)$/;
/** Programs that copy or count their input, and succeed whatever it is. */
const copies =
  /^(?:cat|tee|head|tail|sort|uniq|wc|sed|awk|tr|cut|column|fold|nl|rev|less|more|ts|base64|xxd|od)\b/;
/** With these, such a program does judge its input. */
const judges = /^(?:sort|base64)\b.*\s-(?:[cCdD]|-check|-decode)/;
/** A program that stops at the first failure. */
const strict = /\bset (?:[^;\n|&]* )?-(?:\w*e|o errexit)/;
const dropped = /(?:2|&)>>?\s*\/dev\/null(?![\w./-])|>\s*\/dev\/null\s+2>&1/;

/** `command` as written: words, or one text for a shell. */
export function hidesExitCode(command: unknown): boolean {
  const { script, options } = shellIn(command) ?? {};
  if (hidesStatus(script?.split(/\s+/) ?? command) && !/[;|&\n]/.test(withoutQuoted(script ?? '')))
    return true;
  if (script === undefined) return false;
  const how = `set ${options}; ${script}`;
  const plain = withoutQuoted(script);
  if (/(?<!&)&\s*wait$/.test(plain) || (declares.test(plain) && plain.includes('$(')))
    return !/[;\n]|\|\||&&/.test(plain.replaceAll(/\$\([^()]*\)/g, ''));
  const last = plain.split(/(?:;|\n|\|\||&&)(?!.*(?:;|\n|\|\||&&))/s).at(-1) ?? '';
  const before = plain.slice(0, plain.length - last.length).trimEnd();
  const stages = last.split('|').map((stage) => stage.trim());
  const end = stages.at(-1) ?? '';
  // It may have ended before, with a code of its own.
  if (/\bexit\b(?! 0\b)/.test(before)) return false;
  if (stages.length > 1) return copies.test(end) && !isJudging(end, script) && !/\bpipefail\b/.test(how);
  // After `&&` it is reached only where all before it succeeded; under `set -e`, nothing that failed is followed.
  if (!constant.test(end) || before.endsWith('&&') || before === '') return false;
  return before.endsWith('||') || !strict.test(how);
}

/** `curl` succeeds with every status, unless it is told to fail; with a limit of time, it judges how long it took. */
function hidesStatus(words: unknown): boolean {
  if (!Array.isArray(words)) return false;
  const [program, ...rest] = words.map(String).filter((word) => !/^\w+=/.test(word));
  return /^(?:.*\/)?curl$/.test(program ?? '') && !rest.some((word) => judgesAnswer.test(word));
}

const judgesAnswer =
  /^(?:-[a-zA-Z]*[fmK]|--fail\b|--max-time|--config|--ssl|(?:["']?)(?:file|ftps?|smtp|ldap|tftp):)/;

/** The program of `awk` or `sed` may say how it ends. */
function isJudging(end: string, script: string): boolean {
  return judges.test(end) || (/^(?:awk|sed)\b/.test(end) && /\bexit\b|q\s*\d/.test(script));
}

/** Whether what its programs complain of is thrown away, of all of them. */
export function dropsErrors(command: unknown): boolean {
  const plain = withoutQuoted(shellIn(command)?.script ?? '');
  const parts = plain.split(/;|\n|\|\|?|&&/).map((part) => part.trim());
  if (parts.some((part) => part.startsWith('exec ') && dropped.test(part))) return true;
  return plain !== '' && parts.every((part) => dropped.test(part) || constant.test(part));
}

/** Without what is printed only where something succeeded, or failed. */
export function withoutBranches(script: string): string {
  return script.replaceAll(/(?:&&|\|\|)\s*(?:echo|printf)\b[^;&|\n]*/g, '');
}

/** The programs that a command names: its first word, and the first of each part of a shell script. */
export function programsIn(command: unknown): readonly string[] {
  const { script } = shellIn(command) ?? {};
  if (script === undefined) return [String(Array.isArray(command) ? command[0] : command)];
  // Between double quotes, other programs may be run.
  const parts = script.replaceAll(/'[^']*'|"[^"$`]*"/g, 'quoted').split(/[;\n|&(){}`]+/);
  return parts.map((part) => part.trim().split(/\s+/)[0] ?? '').filter((word) => word !== '');
}

/** A script that is nothing but a shell with a script of its own. */
const nested =
  /^\s*(?:\w+=[^\s'"]*\s+)*(?:exec\s+)?(?:[\w./-]*\/)?(?:ba|da|z|k)?sh((?:\s+-o\s+\w+|\s+-\w+)*?)\s+(-\w*c)\s+(?:'([^']*)'|"((?:\\.|[^"\\])*)")\s*$/s;

/** A script, and the options that its shell is started with. */
export function shellIn(command: unknown): { readonly script: string; readonly options: string } | undefined {
  const found = shellOf(command);
  const [, before = '', own = '', single, double = ''] = nested.exec(found?.script ?? '') ?? [];
  if (own === '') return found;
  // What ends the outer shell is how the inner one ended: only the options of that count.
  return shellIn(['sh', before, own, single ?? double.replaceAll(/\\([$`"\\])/g, '$1')]);
}

function shellOf(command: unknown): { readonly script: string; readonly options: string } | undefined {
  if (typeof command === 'string') return { script: command, options: '' };
  if (!Array.isArray(command) || !shells.test(String(command[0]))) return undefined;
  const at = command.findIndex((word) => /^-\w*c$/.test(String(word)));
  if (at < 0 || command[at + 1] === undefined) return undefined;
  return { script: String(command[at + 1]), options: command.slice(1, at + 1).join(' ') };
}

/** Separators inside of quotes separate nothing, and comments do nothing. */
export function withoutQuoted(script: string): string {
  return script
    .replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, (quoted) => (quoted.includes('$(') ? '$(quoted)' : 'quoted'))
    .replaceAll(/(?<=^|\s)#.*/gm, '')
    .trim()
    .replace(/[;\n]+$/, '');
}
