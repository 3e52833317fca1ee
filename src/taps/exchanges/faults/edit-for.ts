/** Finds the edit that applies a fault. */
import type { EditAbout, ExchangeEdit } from '../exchange-edit.ts';
import type { ExchangeFault } from '../exchange-rule.ts';
import { answerEdit } from './answer.ts';
import { cutEdit } from './cut.ts';
import { delayEdit } from './delay.ts';
import { dropEvent } from './drop-event.ts';
import { duplicateEvent } from './duplicate-event.ts';
import { duplicateRequest } from './duplicate-request.ts';
import { holdEdit } from './hold.ts';
import { passEdit } from './pass.ts';
import { reorderEvents } from './reorder-events.ts';
import type { shapeEdit } from './shape.ts';

export type ShapeEdit = typeof shapeEdit;

/** The edit of a shape is given where a rule has one: the corpus of shapes is loaded only then. */
export function editFor(fault: ExchangeFault, about: EditAbout, shape: ShapeEdit = passEdit): ExchangeEdit {
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
      return fault.what === 'request' ? duplicateRequest(about) : duplicateEvent(fault.event, about);
    case 'drop':
      return dropEvent(fault.event, about);
    case 'reorder':
      return reorderEvents(fault.events, about);
    case 'shape':
      return shape(fault.shape, about);
  }
}
