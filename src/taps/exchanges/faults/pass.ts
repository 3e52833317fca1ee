/** The edit that changes nothing: the example from which to write another. */
import type { ExchangeEdit } from '../exchange-edit.ts';

export function passEdit(): ExchangeEdit {
  return { request: (part) => [part], response: (part) => [part] };
}
