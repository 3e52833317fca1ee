/** Who answers for models and third parties, where the command line says otherwise than the config. */
import { Problem } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { type Call, optionText } from '../verb.ts';
import { withModelMode } from './model-mode.ts';
import { withPeerMode } from './peer-mode.ts';
import { withRecording } from './recorded-resources.ts';

/** As it was asked for, so that it can be asked for again. `recording` is how `record` says it. */
export type WhoAnswers = Readonly<Partial<Record<(typeof names)[number], string>>>;

const names = ['model', 'peers', 'recording'] as const;

export function withWhoAnswers(call: Call, system: System): System {
  const [asked] = Object.keys(whoAnswers(call));
  if (asked !== undefined && call.options.attach === true) throw alreadyCast(asked);
  return withRecording(call, withPeerMode(call, withModelMode(call, system)));
}

export function whoAnswers(call: Call): WhoAnswers {
  return Object.fromEntries(
    names.flatMap((name) => {
      const given = optionText(call, name);
      return given === undefined ? [] : [[name, given] as const];
    }),
  );
}

function alreadyCast(asked: string): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: asked === 'recording' ? 'shakedown record --attach' : `shakedown run --attach --${asked}`,
    what: 'in an environment that is up, models and third parties answer as when it was started',
    allowed: 'who answers is chosen on an environment of its own',
    next: 'leave out `--attach`, or set `mode` in the config before `shakedown up`',
  });
}
