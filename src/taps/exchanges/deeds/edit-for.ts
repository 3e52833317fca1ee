/** Finds the edit that does a deed. */
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import type { ExchangeDeed } from '../exchange-rule.ts';
import { answerEdit } from './answer.ts';
import { cutEdit } from './cut.ts';
import { delayEdit } from './delay.ts';
import { dropEvent } from './drop-event.ts';
import { duplicateEvent } from './duplicate-event.ts';
import { duplicateRequest } from './duplicate-request.ts';
import { holdEdit } from './hold.ts';
import { reorderEvents } from './reorder-events.ts';
import { shapeEdit } from './shape.ts';

export function editFor(deed: ExchangeDeed, about: EditAbout): ExchangeEdit {
  switch (deed.do) {
    case 'delay':
      return delayEdit(deed, about);
    case 'cut':
      return cutEdit(deed);
    case 'hold':
      return holdEdit(deed);
    case 'answer':
      return answerEdit(deed, about);
    case 'duplicate':
      return deed.what === 'request' ? duplicateRequest(about) : duplicateEvent(deed.event, about);
    case 'drop':
      return dropEvent(deed.event, about);
    case 'reorder':
      return reorderEvents(deed.events, about);
    case 'shape':
      return shapeEdit(deed.shape, about);
  }
}
