/** Decides whether a command may run: it is parsed as the shell parses it, and every program in it must be on a list. */

/** They read, print or wait; no argument makes them write, start another program or reach the network. */
const allowedPrograms = new Set([
  'basename',
  'cut',
  'dirname',
  'echo',
  'expr',
  'false',
  'head',
  'ls',
  'printf',
  'pwd',
  'seq',
  'sleep',
  'tr',
  'true',
  'uname',
  'wc',
]);

const mostCharacters = 1_000;

export type Judgement = { readonly allowed: true } | { readonly allowed: false; readonly because: string };

/**
 * A list of dangerous commands could never be complete: quotes inside of words, substitutions,
 * other names for the same program. So only what is understood in full is allowed, and all else is refused.
 */
export function judgeCommand(command: string): Judgement {
  if (command.length > mostCharacters) return refuse(`it is longer than ${mostCharacters} characters`);
  const pipeline = readPipeline(command);
  if (typeof pipeline === 'string') return refuse(pipeline);
  for (const [program] of pipeline) {
    if (program === undefined) return refuse('there is no program');
    if (!allowedPrograms.has(program)) return refuse(`${program.slice(0, 40)} is not an allowed program`);
  }
  return { allowed: true };
}

function refuse(because: string): Judgement {
  return { allowed: false, because };
}

type Words = string[];

/** The words of each program of a pipeline, without their quotes; or why this is more than a plain pipeline. */
function readPipeline(command: string): readonly Words[] | string {
  const pipeline: Words[] = [[]];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) pipeline.at(-1)?.push(word);
    word = undefined;
  };
  let at = 0;
  while (at < command.length) {
    const character = command[at] as string;
    const quoted = readQuoted(command, at);
    if (typeof quoted === 'string') return quoted;
    if (quoted) {
      word = (word ?? '') + quoted.text;
      at = quoted.end;
      continue;
    }
    if (isSpecial(character)) return `${JSON.stringify(character)} is more than a plain command`;
    if (character === ' ' || character === '\t' || character === '|') endWord();
    else word = (word ?? '') + character;
    if (character === '|') pipeline.push([]);
    at += 1;
  }
  endWord();
  return pipeline;
}

/** Characters that join, redirect, group, substitute or are invisible. */
function isSpecial(character: string): boolean {
  return (
    ';&<>(){}$`!#'.includes(character) || (character < ' ' && character !== '\t') || character === '\x7f'
  );
}

/** The quoted or escaped piece at this place, a reason to refuse it, or undefined when nothing is quoted here. */
function readQuoted(command: string, at: number): { text: string; end: number } | string | undefined {
  const character = command[at];
  if (character === '\\') {
    const next = command[at + 1];
    if (next === undefined || next < ' ') return 'a backslash escapes nothing';
    return { text: next, end: at + 2 };
  }
  if (character !== "'" && character !== '"') return undefined;
  const end = command.indexOf(character, at + 1);
  if (end < 0) return 'a quote is not closed';
  const text = command.slice(at + 1, end);
  // Inside of double quotes the shell still substitutes and escapes.
  const active = character === '"' ? /[$`\\!]/.exec(text)?.[0] : undefined;
  if (active !== undefined) return `${JSON.stringify(active)} in double quotes is more than a plain text`;
  return [...text].some((inner) => inner < ' ') ? 'there is a control character' : { text, end: end + 1 };
}
