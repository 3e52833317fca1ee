/** How an environment is contained: in a PID namespace where permitted, otherwise by a ledger and a guard. */
import { spawn } from 'node:child_process';
import { Problem } from '../../kernel/problem.ts';
import { withStreams } from '../../kernel/with-streams.ts';

export type Containment = 'namespace' | 'ledger';

/** Requesting a namespace that is not permitted is an error; without a request, it falls back to the ledger. */
export async function chooseContainment(wanted: Containment | undefined): Promise<Containment> {
  if (wanted === 'ledger') return 'ledger';
  const refusal = await namespaceRefusal();
  if (refusal === undefined) return 'namespace';
  if (wanted === undefined) return 'ledger';
  throw new Problem({
    code: 'world.not-permitted',
    where: 'option --containment',
    what: `a PID namespace was requested, but this machine refuses it: ${refusal}`,
    allowed: 'Linux with util-linux’ unshare and the right to make a namespace',
    next: 'leave the option out to use a ledger and a guard, or see `shakedown doctor`',
  });
}

/** Why no namespace can be made here; undefined when one can. */
export async function namespaceRefusal(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `${process.platform} has no PID namespaces`;
  const [command, ...args] = [...namespacePrefix(), 'sh', '-c', 'test "$$" = 1 && test -e /proc/self/stat'];
  return new Promise((resolve) => {
    const child = withStreams(spawn(command as string, args, { stdio: ['ignore', 'ignore', 'pipe'] }));
    const giveUp = AbortSignal.timeout(5_000);
    giveUp.addEventListener('abort', () => void child.kill('SIGKILL'));
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(0, 500);
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : complaint.trim() || `unshare ended with ${code ?? 'a signal'}`),
    );
  });
}

/** The arguments before a command that make it the first process of its own namespace. */
export function namespacePrefix(): readonly string[] {
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  // Also an IPC namespace: a killed database server leaves a shared memory segment behind.
  return ['unshare', ...asUser, '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'];
}
