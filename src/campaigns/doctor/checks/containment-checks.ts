/** How far services are contained, and what they can see. */
import { existsSync, readFileSync } from 'node:fs';
import { namespaceRefusal } from '../../../environment/containment/containment.ts';
import type { Check } from './check.ts';

/** Kernel settings that forbid namespaces to ordinary users, with the value that does. */
const switches = [
  { key: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', allows: '0' },
  { key: 'kernel.unprivileged_userns_clone', forbids: '0', allows: '1' },
  { key: 'user.max_user_namespaces', forbids: '0', allows: '15000' },
] as const;

/** PID namespaces: with one, the kernel itself kills everything when the keeper ends. */
export const namespaceCheck: Check = {
  name: 'pid namespaces',
  otherwise: 'optional-missing',
  withinMs: 7_000,
  byHand: 'unshare --user --map-current-user --pid --fork --mount-proc true',
  look: async () => {
    const refusal = await namespaceRefusal();
    if (refusal === undefined)
      return { state: 'ok', detail: 'permitted: the kernel ends everything with the keeper' };
    return {
      state: 'optional-missing',
      detail: `${refusal.replaceAll('\n', '; ')}; a ledger and a guard process are used instead`,
      next: howToAllow(),
    };
  },
};

function howToAllow(): string {
  if (process.platform !== 'linux') return 'nothing: only Linux has them';
  const closed = switches.find(({ key, forbids }) => setting(key) === forbids);
  if (closed) return `sudo sysctl -w ${closed.key}=${closed.allows}`;
  const isContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  if (isContainer)
    return 'start this container with --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined';
  return 'needs unshare of util-linux 2.38 or newer, and the right to use it (in a container: --cap-add SYS_ADMIN)';
}

function setting(key: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${key.replaceAll('.', '/')}`, 'utf8').trim();
  } catch {
    return undefined; // this kernel has no such switch
  }
}

/** Reports what services can see of the user who boots them, because isolation is not a security boundary. */
export const secretsCheck: Check = {
  name: 'secrets',
  otherwise: 'optional-missing',
  withinMs: 7_000,
  look: async () => {
    const others =
      (await namespaceRefusal()) === undefined
        ? 'not the variables of your other processes'
        : 'the variables of your other processes, including this command';
    const memory = mayTrace() ? ', and may trace the keeper' : '';
    return { state: 'ok', detail: `services run as you: they see your home folder, ${others}${memory}` };
  },
};

/** Whether a process may read the memory of another one of the same user. */
function mayTrace(): boolean {
  return (setting('kernel.yama.ptrace_scope') ?? '0') === '0';
}
