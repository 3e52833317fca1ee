/** `shakedown logs`: the output of services, of the environment that is up or of the latest run. */
import { withInterrupts } from '../../campaigns/session/interrupts.ts';
import { findLive } from '../../campaigns/session/live-environment.ts';
import { findLogs } from '../../campaigns/up/find-logs.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { numberOption } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { followLogs } from '../view/follow-logs.ts';

export const logs: Verb = {
  summary: 'show the output of services',
  usage: '[NAME…] [-f] [--tail N]',
  positionals: Number.POSITIVE_INFINITY,
  options: {
    follow: { short: 'f', help: 'keep showing new lines until the environment goes down' },
    tail: { value: 'N', help: 'start with the last N lines of each' },
  },
  run: async (call) => {
    const tail = numberOption(call, 'tail', 0, 1_000_000);
    const { systemFolder, ...found } = await findLogs(call, call.positionals);
    const live = call.options.follow === true ? await findLive(systemFolder, call.clock) : undefined;
    await withInterrupts(({ first }) =>
      followLogs({
        ...found,
        call,
        tail,
        until: live ? Promise.race([live.client.gone, first]) : Promise.resolve(),
      }),
    );
    live?.client.close();
    return exitCodes.held;
  },
};
