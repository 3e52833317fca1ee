/** The fault that takes one event out of a stream. */
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import { editedEvents } from './edited-events.ts';

export function dropEvent(dropped: number, about: EditAbout): ExchangeEdit {
  return editedEvents(about, {
    edit: (raw, event) =>
      event?.number === dropped ? [{ do: 'felt', what: `dropped event ${dropped}` }] : [raw],
  });
}
