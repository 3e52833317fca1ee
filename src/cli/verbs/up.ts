/** `shakedown up`: boots the system, shows it, and holds it until it is told to let go. */
import { type Containment, chooseContainment } from '../../environment/containment/containment.ts';
import { beginLaunch, type LaunchDetails, type Launched } from '../../environment/keeper/launch.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { findBinary } from '../../environment/processes/find-binary.ts';
import { releaseUpLock } from '../../environment/up-lock.ts';
import { Problem, problemsIn } from '../../kernel/problem.ts';
import { freshSeed, runId, uniqueLabel } from '../../kernel/unique-id.ts';
import { againCommand } from '../again-command.ts';
import { chooseVariant } from '../choose-variant.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { claimFolder } from '../live-environment.ts';
import { openSystem, systemFolder } from '../open-system.ts';
import { toolVersion } from '../tool-version.ts';
import { type Call, optionText, type Verb } from '../verb.ts';
import { wantedContainment } from '../wanted-containment.ts';

export const up: Verb = {
  summary: 'boot the whole system and hold it open',
  usage: '[--detach] [-- COMMAND [WORD…]]',
  words: { atMost: 0 },
  takesCommand: true,
  options: {
    detach: {
      type: 'boolean',
      short: 'd',
      help: 'leave it running when it is ready; `shakedown down` ends it',
    },
    seed: { type: 'string', value: 'SEED', help: 'repeat the random choices of an earlier run' },
    variant: {
      type: 'string',
      value: 'NAME=VALUE,…',
      help: 'choose other values of the config’s matrix than the first of each',
    },
    containment: {
      type: 'string',
      value: 'namespace|ledger',
      help: 'how processes are held together; default: the best this machine permits',
    },
  },
  run: async (call) => {
    const containment = wantedContainment(call, 'up');
    if (call.options.detach === true && call.command.length > 0) throw detachedCommand();
    checkCommand(call);
    const interrupts = listenForInterrupts();
    try {
      const launched = await claimAndLaunch(call, await chooseContainment(containment));
      const { attend } = await import('../attend.ts');
      return await attend(call, launched, interrupts);
    } finally {
      interrupts.stopListening();
    }
  },
};

/** Before anything boots: a misspelt program would only be found after. */
function checkCommand({ command, env, cwd }: Call): void {
  const [program] = command;
  if (program !== undefined && !program.includes('${'))
    findBinary(program, env.PATH ?? '', cwd, 'the command after --');
}

/** The keeper's process starts while the config is read: neither has to wait for the other. */
async function claimAndLaunch(call: Call, containment: Containment): Promise<Launched> {
  const { clock, env: hostEnv } = call;
  const folder = await systemFolder(call);
  const run = runId(clock.now());
  await claimFolder(folder, run, call);
  try {
    const launching = beginLaunch({
      systemFolder: folder,
      run,
      containment,
      clock,
      hostEnv,
      environment: uniqueLabel(),
    });
    const details = await readDetails(call).catch(async (error: unknown) => {
      releaseUpLock(folder, run);
      await launching.abandon();
      throw error;
    });
    // What is needed later is loaded, and what crashed runs left is taken away, while the keeper is at work already.
    const [launched] = await Promise.all([
      launching.complete(details).catch((error: unknown) => {
        // A boot that failed before anybody could listen is told like every other.
        const isBoot = problemsIn(error).some(({ code }) => code.startsWith('boot.'));
        if (isBoot && !call.json) call.terminal.err(`again:    ${againCommand(call, 'up', details.seed)}\n`);
        throw error;
      }),
      import('../attend.ts'),
      import('../reap-and-tell.ts').then(({ reapAndTell }) => reapAndTell(call, folder)),
    ]);
    return launched;
  } catch (error) {
    releaseUpLock(folder, run);
    throw error;
  }
}

async function readDetails(call: Call): Promise<LaunchDetails> {
  const system = await openSystem(call);
  await checkFixedPorts(system);
  return {
    system,
    seed: optionText(call, 'seed') ?? freshSeed(),
    variant: chooseVariant(system, optionText(call, 'variant')),
    tool: `shakedown ${toolVersion()}`,
  };
}

function detachedCommand(): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown up --detach -- COMMAND',
    what: 'an environment cannot be left behind and go down with a command at once',
    allowed: 'either `--detach` or a command after `--`',
    next: 'leave one of the two out',
  });
}
