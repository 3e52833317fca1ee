/** 2,000 HTTP steps with three checks each: beside the same with bare undici, and beside other tools where they are installed. */
import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type BuiltPackage, buildPackage } from './cli/built-package.ts';
import { untilInterrupted } from './cli/until-interrupted.ts';
import type { Aim, BenchResult } from './run.ts';
import { type Contestant, formatSideBySide, type Scores, sideBySide } from './side-by-side.ts';
import { findPeer, type Peer, peers } from './steps/peers.ts';
import { writeSuites } from './steps/suites.ts';

const steps = 2_000;
const rounds = 5;
const ours = 'shakedown';
const bare = 'bare undici';

export async function bench(): Promise<BenchResult> {
  const whileWanted = untilInterrupted();
  const built = await buildPackage();
  const folder = path.join(built.folder, 'steps');
  try {
    writeSuites(folder, steps);
    cpSync(path.join(import.meta.dirname, 'steps/server.mjs'), path.join(folder, 'server.mjs'));
    const call = (...argv: readonly string[]): string => run(built, folder, argv);
    const { services } = JSON.parse(call(built.binary, 'up', '--detach', '--json')) as {
      services: { url: string }[];
    };
    const url = services[0]?.url ?? '';
    const found = peers.map((peer) => ({ peer, binary: findPeer(peer, process.env) }));
    try {
      const result = await sideBySide(
        rounds,
        whileWanted([
          {
            name: bare,
            measure: async () => ({ stepsMs: Number(call('node', bareFile, url, String(steps))) }),
          },
          { name: ours, measure: async () => measureOurs(call, built) },
          ...found.flatMap(({ peer, binary }) =>
            binary === undefined ? [] : [contestant(peer, binary, url, built, folder)],
          ),
        ]),
      );
      const present = found.filter(({ binary }) => binary !== undefined).map(({ peer }) => peer.name);
      const ratios = {
        stepsOverBareUndici: result.ratio('stepsMs', ours, bare),
        ...Object.fromEntries(present.map((name) => [ratioName(name), result.ratio('wholeMs', name, ours)])),
      };
      const aims: Record<string, Aim> = {
        stepsOverBareUndici: { atMost: 1.5 },
        ...Object.fromEntries(present.map((name) => [ratioName(name), { atLeast: 1 }])),
      };
      const absent = found.filter(({ binary }) => binary === undefined);
      return {
        table: formatSideBySide(result),
        ratios,
        aims,
        peersAbsent: absent.map(({ peer }) => `${peer.name}: ${peer.install}`),
      };
    } finally {
      call(built.binary, 'down');
    }
  } finally {
    await built.remove();
  }
}

const bareFile = path.join(import.meta.dirname, 'steps/bare-undici.ts');

/** `stepsMs`: from the first step to the last check; `wholeMs`: the whole process, reading the suite included. */
function measureOurs(call: (...argv: readonly string[]) => string, { binary }: BuiltPackage): Scores {
  const startedAt = performance.now();
  const verdict = JSON.parse(call(binary, 'run', '--attach', '--json')) as {
    trials: { durationMs: number }[];
  };
  return { stepsMs: verdict.trials[0]?.durationMs ?? Number.NaN, wholeMs: performance.now() - startedAt };
}

function contestant(
  peer: Peer,
  binary: string,
  url: string,
  built: BuiltPackage,
  folder: string,
): Contestant {
  const cwd = path.join(folder, peer.cwd ?? '.');
  if (peer.name === 'playwright') linkModules(cwd, binary);
  return {
    name: peer.name,
    measure: async () => {
      const startedAt = performance.now();
      run(built, cwd, peer.argv(binary, url), {
        URL: url,
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
      });
      return { wholeMs: performance.now() - startedAt };
    },
  };
}

/** Its suite imports the package, which must be found from there. */
function linkModules(cwd: string, binary: string): void {
  symlinkSync(path.resolve(path.dirname(binary), '..'), path.join(cwd, 'node_modules'));
}

/** Blocks, so that nothing of ours runs beside what is timed. */
function run(
  { env }: BuiltPackage,
  cwd: string,
  argv: readonly string[],
  more: NodeJS.ProcessEnv = {},
): string {
  const [command = '', ...words] = argv;
  const options = {
    cwd,
    env: { ...env, ...more },
    encoding: 'utf8',
    timeout: 180_000,
    maxBuffer: 256 * 1024 * 1024,
  } as const;
  const { status, stdout, stderr, error } = spawnSync(command, words, options);
  if (status === 0) return stdout;
  throw new Error(
    `${argv.join(' ')} ended with ${status}: ${error?.message ?? (stderr || stdout).slice(-2_000)}`,
  );
}

function ratioName(peer: string): string {
  return `${peer}OverOurs`;
}
