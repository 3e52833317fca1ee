/** Boots the system, and holds it until it is taken down or a command beside it has ended. */
import { chooseContainment } from '../../environment/containment/containment.ts';
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import { beginLaunch, type LaunchDetails, type Launched } from '../../environment/keeper/launch.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { findBinary } from '../../environment/processes/find-binary.ts';
import { releaseUpLock } from '../../environment/up-lock.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import { toolVersion } from '../../kernel/tool-version.ts';
import { freshSeed, runId, uniqueLabel } from '../../kernel/unique-id.ts';
import { chooseVariant } from '../session/choose-variant.ts';
import type { Host } from '../session/host.ts';
import { withInterrupts } from '../session/interrupts.ts';
import { claimFolder } from '../session/live-environment.ts';
import type { EnvironmentRequest } from '../session/open-session.ts';
import { openSystem, systemFolder } from '../session/open-system.ts';

export interface UpRequest extends EnvironmentRequest {
  /** Leaves it running once it is ready. */
  readonly detach: boolean;
  /** Whether it is the one that is up in this folder; otherwise it is known only to its command. */
  readonly apart: boolean;
  /** The user's own command, run beside the environment; empty for none. */
  readonly command: readonly string[];
  /** The call as a shell command. */
  again(seed: string): string;
  openView(): UpView;
}

export interface UpView {
  event(event: JournalEvent): void;
  /** The boot is over, one way or the other. */
  booted(): void;
  ready(status: EnvironmentStatus, events: readonly JournalEvent[]): void;
  problems(problems: readonly Problem[]): void;
}

export async function up(host: Host, request: UpRequest): Promise<ExitCode> {
  checkCommand(host, request.command);
  return withInterrupts(async (interrupts) => {
    const launched = await claimAndLaunch(host, request);
    const { attend } = await import('./attend.ts');
    return attend(host, request, launched, interrupts);
  });
}

/** Before the boot: otherwise a misspelt program would be found only after it. */
function checkCommand({ env, cwd }: Host, [program]: readonly string[]): void {
  if (program !== undefined && !program.includes('${'))
    findBinary(program, env.PATH ?? '', cwd, 'the command after --');
}

/** The keeper's process starts while the config is loaded, so that neither waits for the other. */
async function claimAndLaunch(host: Host, request: UpRequest): Promise<Launched> {
  const { clock, env: hostEnv } = host;
  const containment = await chooseContainment(request.containment);
  const folder = await systemFolder(host);
  const run = runId(clock.now());
  if (!request.apart) await claimFolder(folder, run, host);
  try {
    const launching = beginLaunch({
      systemFolder: folder,
      run,
      containment,
      clock,
      hostEnv,
      environment: uniqueLabel(),
    });
    const details = await readDetails(host, request).catch(async (error: unknown) => {
      releaseUpLock(folder, run);
      await launching.abandon();
      throw error;
    });
    // Load modules and remove leftovers of crashed runs while the keeper is already working.
    const [launched] = await Promise.all([
      launching.complete(details).catch((error: unknown) => {
        // A boot that failed before we could subscribe is reported like any other.
        const isBoot = problemsIn(error).some(({ code }) => code.startsWith('boot.'));
        if (isBoot) host.say(`again:    ${request.again(details.seed)}\n`);
        throw error;
      }),
      import('./attend.ts'),
      import('../session/leftovers.ts').then(({ reapAndReport }) => reapAndReport(host, folder)),
    ]);
    return launched;
  } catch (error) {
    releaseUpLock(folder, run);
    throw error;
  }
}

async function readDetails(host: Host, { seed, variant }: UpRequest): Promise<LaunchDetails> {
  const system = await openSystem(host);
  await checkFixedPorts(system);
  return {
    system,
    seed: seed ?? freshSeed(),
    variant: chooseVariant(system, variant),
    tool: `shakedown ${toolVersion()}`,
  };
}
