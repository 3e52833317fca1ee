/** What is noted while an answer is folded: rules that it breaks and oddities that are accepted, each once, within bounds. */
import { cutText } from '../../kernel/cut-text.ts';
import { defined } from '../../kernel/defined.ts';
import { foldLimits } from './fold-limits.ts';
import type { DialectName, FoldedTurn, WireFault } from './turn.ts';

export interface FoldNotes {
  readonly faults: WireFault[];
  readonly oddities: WireFault[];
  /** The event that is being read, from 1; 0 of a body. */
  event: number;
  fault: Note;
  oddity: Note;
  /** The same lists, for rules of another family. */
  of(family: string): Pick<FoldNotes, 'fault' | 'oddity'>;
}

/** Gives nothing, so that a reader can return with it. */
type Note = (rule: string, what: string, shape?: string) => undefined;

/**
 * The names of its rules begin with their family. A rule broken again by the same shape is not noted twice. Continues from
 * other notes without changing them.
 */
export function createFoldNotes(family: string, from?: FoldNotes): FoldNotes {
  const before = from === undefined ? [] : [...from.faults, ...from.oddities];
  const seen = new Set(before.map(({ rule, shape }) => `${rule} ${shape}`));
  const add = (list: WireFault[], rule: string, what: string, shape?: string): undefined => {
    const key = `${rule} ${shape}`;
    if (seen.has(key) || list.length >= foldLimits.faults) return;
    seen.add(key);
    list.push({
      rule,
      ...(shape === undefined ? {} : { shape }),
      what,
      ...(notes.event === 0 ? {} : { event: notes.event }),
    });
  };
  const of: FoldNotes['of'] = (name) => ({
    fault: (rule, what, shape) => add(notes.faults, `${name}.${rule}`, what, shape),
    oddity: (rule, what, shape) => add(notes.oddities, `${name}.${rule}`, what, shape),
  });
  const notes: FoldNotes = {
    faults: [...(from?.faults ?? [])],
    oddities: [...(from?.oddities ?? [])],
    event: from?.event ?? 0,
    ...of(family),
    of,
  };
  return notes;
}

const shownChars = 120;

/** A value for a sentence, however large it is. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'nothing';
  return JSON.stringify(cutText(value, shownChars));
}

/** What has come of an answer. */
interface Arrived extends Omit<Partial<FoldedTurn>, 'complete' | 'faults' | 'oddities'> {
  readonly streamed: boolean;
  /** By the end that its dialect demands. */
  readonly ended: boolean;
}

/** It is complete where it has ended, no rule is broken, and no failure is reported. */
export function foldedTurn(dialect: DialectName, notes: FoldNotes, arrived: Arrived): FoldedTurn {
  const { streamed, ended, parts = [], stop = null, stopWord, usage = null, id, model, error } = arrived;
  return {
    dialect,
    streamed,
    complete: ended && notes.faults.length === 0 && error === undefined,
    parts,
    stop,
    ...defined({ stopWord }),
    usage,
    ...defined({ id, model, error }),
    faults: [...notes.faults],
    oddities: [...notes.oddities],
  };
}
