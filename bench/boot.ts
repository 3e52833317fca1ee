/** The butlers from nothing to ready: by Shakedown, by a shell script, and by docker-compose where docker is there. */
import { join } from 'node:path';
import { bootCold, copyButlers } from './boot/butlers-copy.ts';
import { composeInstall, openCompose } from './boot/compose-boot.ts';
import { freePorts } from './boot/free-ports.ts';
import { startUntilReady } from './boot/ready-program.ts';
import { bootByShakedown, stages } from './boot/shakedown-boot.ts';
import { type BuiltPackage, buildPackage } from './cli/built-package.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import type { BenchResult } from './run.ts';
import { formatSideBySide, type Scores, type SideBySide, sideBySide } from './side-by-side.ts';

const rounds = 7;
const cold = 'shakedown, cold';
const warm = 'shakedown, warm';
const shell = 'shell script';
const compose = 'docker-compose';

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const built = await buildPackage();
  try {
    // Two copies: what one run keeps for the next must not reach the cold one.
    const [coldProject, warmProject] = await Promise.all([
      copyButlers(built, 'cold'),
      copyButlers(built, 'warm'),
    ]);
    const docker = await openCompose(built, coldProject);
    try {
      const result = await sideBySide(
        rounds,
        whileWanted([
          { name: cold, measure: () => bootCold(built, coldProject) },
          { name: warm, measure: () => bootByShakedown(built, warmProject) },
          { name: shell, measure: () => bootByShell(built, coldProject) },
          ...(docker ? [{ name: compose, measure: () => docker.boot() }] : []),
        ]),
      );
      return report(result, docker !== undefined);
    } finally {
      await docker?.remove();
    }
  } finally {
    await built.remove();
  }
}

/** It takes down what it started as soon as it has said that it is ready. */
async function bootByShell({ env }: BuiltPackage, project: string): Promise<Scores> {
  const script = await startUntilReady({
    argv: [join(project, 'start-by-hand.sh')],
    cwd: project,
    env: { ...env, BASE_PORT: String(await freePorts(10)) },
    isReady: (line) => line.startsWith('READY '),
  });
  return { readyMs: script.readyMs, teardownMs: await script.end() };
}

function report(result: SideBySide, withCompose: boolean): BenchResult {
  const overall = formatSideBySide({ ...result, metrics: ['readyMs', 'teardownMs'] });
  const spent = formatSideBySide({ ...result, names: [cold, warm], metrics: stages });
  return {
    table: `${overall}\n\nwhere the time of Shakedown goes:\n${spent}`,
    ratios: {
      overheadOverCriticalPath: result.median(cold, 'overhead'),
      overheadOverCriticalPathWarm: result.median(warm, 'overhead'),
      overShellScript: result.ratio('readyMs', cold, shell),
      overShellScriptWarm: result.ratio('readyMs', warm, shell),
      ...(withCompose ? { overDockerCompose: result.ratio('readyMs', cold, compose) } : {}),
    },
    aims: { overheadOverCriticalPath: { atMost: 1.15 } },
    peersAbsent: withCompose ? [] : [composeInstall],
  };
}
