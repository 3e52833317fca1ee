/** `shakedown up`: boots the system, shows it, and holds it until it is taken down. */
import { up as holdUp } from '../../campaigns/up/up.ts';
import { badUsage } from '../../kernel/problem.ts';
import { againCommand } from '../call/again-command.ts';
import { environmentOptions, readEnvironmentRequest } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { openUpView } from '../view/up-view.ts';

export const up: Verb = {
  summary: 'boot the whole system and hold it open',
  usage: '[--detach] [-- COMMAND [WORD…]]',
  takesCommand: true,
  options: {
    detach: { short: 'd', help: 'leave it running when it is ready; `shakedown down` ends it' },
    apart: { help: 'for its command only, beside whatever else is up in this folder' },
    ...environmentOptions,
  },
  run: async (call) => {
    const request = readEnvironmentRequest(call);
    const detach = call.options.detach === true;
    if (detach && call.command.length > 0)
      throw badUsage(
        'shakedown up --detach -- COMMAND',
        'an environment cannot both stay up and go down with a command',
        'either `--detach` or a command after `--`',
        'leave one of the two out',
      );
    const apart = call.options.apart === true;
    if (apart && call.command.length === 0)
      throw badUsage(
        'shakedown up --apart',
        'there is no command after `--`, and nothing else could find or end such an environment',
        'shakedown up --apart -- COMMAND [WORD…]',
        'add a command, or leave out `--apart`',
      );
    return holdUp(call, {
      ...request,
      detach,
      apart,
      command: call.command,
      again: (seed) => againCommand(call, 'up', seed),
      openView: () => openUpView(call),
    });
  },
};
