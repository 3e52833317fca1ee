/** Lists the loaded skills. */
import type { Parts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { nameAt } from '../wire/message.ts';
import { keyword, type Printable, type Value } from '../wire/sexp.ts';

export function requestSkills(message: Value, { skills }: Parts): Printable {
  if (nameAt(message, 'PAYLOAD', 'ACTION') !== 'list') {
    throw new Refusal('unknown-action', 'skills know :ACTION :list');
  }
  return {
    ACTION: keyword('list'),
    COUNT: skills.all.length,
    SKILLS: skills.all.map(({ name, triggers }) => ({ NAME: name, TRIGGERS: triggers })),
  };
}
