/** The statements in the text of one query, and the verb of a statement. Pure. */
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

/** Without what is empty: no result is sent for it. */
export function splitStatements(text: string, escapes = false): readonly string[] {
  const statements: string[] = [];
  let body = new BodyDepth();
  let from = 0;
  let isEmpty = true;
  for (const token of sqlTokens(text, escapes)) {
    if (text[token.from] === ';' && body.isOutside) {
      if (!isEmpty) statements.push(text.slice(from, token.from));
      body = new BodyDepth();
      from = token.to;
      isEmpty = true;
    } else if (token.kind !== 'blank') {
      isEmpty = false;
      body.take(token, text);
    }
  }
  return isEmpty ? statements : [...statements, text.slice(from)];
}

/** A rule has its actions in parentheses, a function its body between BEGIN and END: these do not end at a semicolon. */
class BodyDepth {
  #parentheses = 0;
  #blocks = 0;
  #beginning = '';
  #words = 0;

  get isOutside(): boolean {
    return this.#parentheses === 0 && this.#blocks === 0;
  }

  take({ kind, from, to }: SqlToken, text: string): void {
    if (text[from] === '(') this.#parentheses += 1;
    else if (text[from] === ')') this.#parentheses = Math.max(0, this.#parentheses - 1);
    else if (kind === 'word' && this.#parentheses === 0) this.#takeWord(text.slice(from, to).toLowerCase());
  }

  #takeWord(word: string): void {
    this.#words += 1;
    if (this.#words <= mostHeadWords) this.#beginning += `${word} `;
    if (!routine.test(this.#beginning)) return;
    if (word === 'begin' || (word === 'case' && this.#blocks > 0)) this.#blocks += 1;
    else if (word === 'end') this.#blocks = Math.max(0, this.#blocks - 1);
  }
}

const mostHeadWords = 4;
const routine = /^create (?:or replace )?(?:function|procedure) /;

/** The first word. Of a WITH, that of the statement itself, or of a part that writes where that only reads. */
export function verbOf(statement: string): string | undefined {
  const plain = /^[A-Za-z]+(?=[\s(;]|$)/.exec(statement)?.[0].toUpperCase();
  if (plain !== undefined && plain !== 'WITH') return plain;
  for (const { kind, from, to } of sqlTokens(statement)) {
    if (kind === 'blank' || '(;'.includes(statement[from] ?? '')) continue;
    const word = kind === 'word' ? statement.slice(from, to).toUpperCase() : '';
    return word === 'WITH' ? verbOfParts(statement.slice(to)) : (/^[A-Z]+/.exec(word) ?? [undefined])[0];
  }
  return undefined;
}

/** `WITH` where it is not there. */
function verbOfParts(statement: string): string {
  let depth = 0;
  let before = '';
  let isPart = false;
  let written: string | undefined;
  for (const { kind, from, to } of sqlTokens(statement)) {
    if (kind === 'blank') continue;
    const word = kind === 'quoted' ? '' : statement.slice(from, to).toUpperCase();
    if (isPart && writes.has(word)) written ??= word;
    isPart = word === '(' && (before === 'AS' || before === 'MATERIALIZED');
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    else if (depth === 0 && writes.has(word)) return word;
    else if (depth === 0 && reads.has(word)) return written ?? word;
    before = word;
  }
  return written ?? 'WITH';
}

const reads = new Set(['SELECT', 'VALUES', 'TABLE']);
const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
