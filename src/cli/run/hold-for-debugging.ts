/** Holds an environment at a failure: prints where everything is, and waits until the person is done. */
import type { KeeperClient } from '../../environment/keeper/keeper-client.ts';
import type { Interrupts } from '../interrupts.ts';
import type { Call } from '../verb.ts';

export async function holdForDebugging(
  call: Call,
  interrupts: Interrupts,
  ask: KeeperClient['ask'],
): Promise<void> {
  const { services, resources } = await ask('status', {});
  const lines = [
    ...services.map(
      ({ name, url, pid, state }) => `  ${name.padEnd(20)} ${url ?? '-'}  pid ${pid ?? '-'}  ${state}`,
    ),
    ...resources.map(({ name, url }) => `  ${name.padEnd(20)} ${url ?? '-'}`),
    'look around; Enter or Ctrl-C ends it',
  ];
  for (const line of lines) call.terminal.err(line);
  const entered = new Promise<void>((resolve) => {
    process.stdin.resume();
    process.stdin.once('data', () => {
      process.stdin.pause();
      resolve();
    });
  });
  await Promise.race([entered, interrupts.first]);
}
