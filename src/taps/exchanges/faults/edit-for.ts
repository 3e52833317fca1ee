/** Finds the edit that applies a fault. */
import { defined } from '../../../kernel/defined.ts';
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import type { ExchangeFault } from '../exchange-rule.ts';
import { answerEdit } from './answer.ts';
import { delayEdit } from './delay.ts';
import { duplicateRequest } from './duplicate-request.ts';
import { editedEvents } from './edited-events.ts';
import { passEdit } from './pass.ts';
import { reorderEvents } from './reorder-events.ts';
import type { shapeEdit } from './shape.ts';
import { stopAt } from './stop-at.ts';
import type { wrongEdit } from './wrong.ts';

/** Those that need the corpus of shapes, which is loaded only where a rule has one. */
export interface LoadedEdits {
  readonly shape?: typeof shapeEdit;
  readonly wrong?: typeof wrongEdit;
}

export async function loadEdits(faults: readonly ExchangeFault[]): Promise<LoadedEdits> {
  const has = (word: ExchangeFault['do']): boolean => faults.some((fault) => fault.do === word);
  return {
    ...(has('shape') ? { shape: (await import('./shape.ts')).shapeEdit } : {}),
    ...(has('wrong') ? { wrong: (await import('./wrong.ts')).wrongEdit } : {}),
  };
}

export function editFor(fault: ExchangeFault, about: EditAbout, loaded: LoadedEdits = {}): ExchangeEdit {
  switch (fault.do) {
    case 'delay':
      return delayEdit(fault, about);
    case 'cut':
      return cutEdit(fault);
    case 'hold':
      return holdEdit(fault);
    case 'answer':
      return answerEdit(fault, about);
    case 'duplicate':
      return fault.what === 'request' ? duplicateRequest(about) : repeatEvent(fault.event, 2, about);
    case 'drop':
      return repeatEvent(fault.event, 0, about);
    case 'reorder':
      return reorderEvents(fault.events, about);
    case 'shape':
      return loaded.shape?.(fault.shape, about) ?? passEdit();
    case 'wrong':
      return loaded.wrong?.(about) ?? passEdit();
  }
}

/** Ends the connection at a place of the response. */
function cutEdit({ at, by }: Extract<ExchangeFault, { do: 'cut' }>): ExchangeEdit {
  return stopAt(at, (where) => [{ do: 'cut', by, what: `cut by ${by} ${where}` }]);
}

/** Stops a response at a place, for a time or permanently. */
function holdEdit({ at, ms }: Extract<ExchangeFault, { do: 'hold' }>): ExchangeEdit {
  const time = ms === undefined ? 'permanently' : `for ${ms} ms`;
  return stopAt(at, (where) => [{ do: 'felt', what: `held ${where}, ${time}` }, defined({ do: 'hold', ms })]);
}

/** Sends one event of a stream that many times, or not at all. */
function repeatEvent(number: number, times: 0 | 2, about: EditAbout): ExchangeEdit {
  const what = times === 0 ? `dropped event ${number}` : `sent event ${number} twice`;
  return editedEvents(about, {
    edit: (raw, event) =>
      event?.number === number ? [...Array<Buffer>(times).fill(raw), { do: 'felt', what }] : [raw],
  });
}
