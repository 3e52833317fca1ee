/** The fault that sends one event of a stream twice. */
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import { editedEvents } from './edited-events.ts';

export function duplicateEvent(doubled: number, about: EditAbout): ExchangeEdit {
  return editedEvents(about, {
    edit: (raw, event) =>
      event?.number === doubled ? [raw, raw, { do: 'felt', what: `sent event ${doubled} twice` }] : [raw],
  });
}
