/** What services can see of the user who boots them, whatever we do: told, so that nobody takes it for a wall. */
import { readFileSync } from 'node:fs';
import { namespaceRefusal } from '../../environment/containment/containment.ts';
import type { Check } from './check.ts';

export const secretsCheck: Check = {
  name: 'secrets',
  otherwise: 'optional-missing',
  withinMs: 7_000,
  look: async () => {
    const others =
      (await namespaceRefusal()) === undefined
        ? 'not the variables of your other processes'
        : 'the variables of your other processes, those of this command among them';
    const memory = mayTrace() ? ', and may trace the keeper' : '';
    return { state: 'ok', detail: `services run as you: they see your home folder, ${others}${memory}` };
  },
};

/** Whether a process of the same user may look into the memory of another. */
function mayTrace(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0';
  } catch {
    return true; // nothing here forbids it
  }
}
