/** Links, unlinks and lists gateways. */
import type { Parts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { nameAt } from '../wire/message.ts';
import { keyword, type Printable, type Value } from '../wire/sexp.ts';

export function requestGateways(message: Value, { gateways }: Parts): Printable {
  const action = nameAt(message, 'PAYLOAD', 'ACTION');
  const name = nameAt(message, 'PAYLOAD', 'NAME') ?? '';
  switch (action) {
    case 'list':
      break;
    case 'link':
      gateways.link(name);
      break;
    case 'unlink':
      gateways.unlink(name);
      break;
    default:
      throw new Refusal('unknown-action', 'gateways know :ACTION :list, :link and :unlink');
  }
  const known = gateways.list();
  return {
    ACTION: keyword(action),
    NAME: action === 'list' ? undefined : name,
    COUNT: known.length,
    GATEWAYS: known.map(({ name, linkedAt }) => ({ NAME: name, 'LINKED-AT': linkedAt })),
  };
}
