/** Which requirements a Markdown text marks as deferred: in a cell, under a heading, or in a list. */
import type { Deferral } from '../requirement.ts';
import { type Heading, type PlainLine, plainWords } from './markdown-outline.ts';

const withoutReason = 'marked as deferred, without a reason';

/** A cell of a status column: `deferred`, `deferred: why`, `deferred until 2026-12-31 (why)`. */
export function deferralIn(cell: string): Deferral | undefined {
  const words = plainWords(cell);
  const [, rest] = /^deferred\b(.*)$/is.exec(words) ?? [];
  return rest === undefined ? undefined : deferralOf(rest);
}

/** A mark in brackets at the end or the beginning of a text: `(deferred: why)`. A sentence that merely has the word is none. */
export function deferralMark(text: string) {
  const found =
    /(?:^|\s)[([]\s*\*{0,2}deferred\b([^)\]]*)[)\]]\s*$/is.exec(text) ??
    /^[([]\s*\*{0,2}deferred\b([^)\]]*)[)\]]\s+/is.exec(text);
  if (!found) return undefined;
  const rest = text.slice(0, found.index) + text.slice(found.index + found[0].length);
  return { text: rest.trim(), deferral: deferralOf(plainWords(found[1] ?? '')) };
}

/** A heading such as `## Deferred: no simulator yet`. */
export function deferralAbove(under: readonly Heading[]): Deferral | undefined {
  const [above] = under.toReversed().flatMap(({ text }) => {
    const found = deferralIn(text);
    if (!found) return [];
    const says = /^\W*deferred\s*(?:[:(–—-]|until\b)/i.test(text);
    return [says ? found : { reason: `it is listed under “${plainWords(text)}”` }];
  });
  return above;
}

/** Items of a list below such a heading, or below a line such as `Deferred:`. */
export function deferredInLists(lines: readonly PlainLine[], known: readonly string[]) {
  let introduced: Deferral | undefined;
  return lines.flatMap(({ under, text, line }) => {
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(text)?.[1];
    const words = plainWords(item ?? text);
    const own = deferralIn(words);
    if (own && /:\s*$/.test(words)) {
      introduced = deferralOf(words.replace(/^deferred/i, '').replace(/:\s*$/, ''));
      return [];
    }
    const ids = idsIn(words, known);
    if (item === undefined && !own) introduced = undefined;
    const above = own ?? introduced ?? deferralAbove(under);
    if (!above || ids.length === 0 || (item === undefined && !own)) return [];
    const said = reasonIn(own ? words.replace(/^deferred/i, '') : words, ids);
    return [{ ids, line, deferral: said === undefined ? above : { ...above, reason: said } }];
  });
}

/** Ids in the text, those of a range included: `INT-005 through INT-009`, `INT-001..INT-004`. */
function idsIn(words: string, known: readonly string[]): readonly string[] {
  const byId = new Map(known.map((id) => [id.toLowerCase(), id]));
  const found = new Set<string>();
  const range = /([A-Za-z][\w./-]*?)(\d+)\s*(?:\.\.\.?|…|–|—|\bthrough\b|\bto\b)\s*\1(\d+)/g;
  for (const [, prefix = '', from = '', to = ''] of words.matchAll(range)) {
    for (const id of known) {
      const [, own, number] = /^(.*?)(\d+)$/.exec(id) ?? [];
      if (own === prefix && Number(number) >= Number(from) && Number(number) <= Number(to)) found.add(id);
    }
  }
  for (const [word] of words.matchAll(/[A-Za-z0-9][\w.:/-]*/g)) {
    const id = byId.get(word.replace(/[.:]+$/, '').toLowerCase());
    if (id !== undefined) found.add(id);
  }
  return [...found];
}

/** The text after the last id. */
function reasonIn(words: string, ids: readonly string[]): string | undefined {
  const ends = ids.flatMap((id) => {
    const at = words.toLowerCase().lastIndexOf(id.toLowerCase());
    return at < 0 ? [] : [at + id.length];
  });
  const rest = words.slice(Math.max(...ends, 0));
  const reason = rest.replace(/^[\s:;,.)–—-]+/, '').replace(/^\((.*)\)\.?$/s, '$1');
  return reason.trim() === '' ? undefined : reason.trim();
}

function deferralOf(rest: string): Deferral {
  const [, until, after] = /^\s*,?\s*until\s+(\d{4}-\d{2}-\d{2}|[^:(,;]+)(.*)$/is.exec(rest) ?? [];
  const reason = (until === undefined ? rest : (after ?? ''))
    .replace(/^[\s:;,.–—-]+/, '')
    .replace(/^\((.*)\)$/s, '$1')
    .replace(/^because\s+/i, '')
    .trim();
  return {
    reason: reason === '' ? withoutReason : reason,
    ...(until === undefined ? {} : { until: until.trim() }),
  };
}
