/** 1 GB of service output and a 100 MB response body: what the runner and the keeper take of the memory at most. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuiltPackage, buildPackage } from './cli/built-package.ts';
import { peakMegabytes } from './memory/peak-megabytes.ts';
import type { BenchResult } from './run.ts';

const mostMb = 300;

export async function bench(): Promise<BenchResult> {
  const built = await buildPackage();
  const folder = path.join(built.folder, 'memory');
  try {
    writeProject(folder);
    const peak = await runAndWatch(built, folder);
    return {
      table: `largest resident set: the runner ${peak.runner.toFixed(0)} MB, the keeper ${peak.keeper.toFixed(0)} MB`,
      ratios: { runnerMegabytes: peak.runner, keeperMegabytes: peak.keeper },
      aims: { runnerMegabytes: { atMost: mostMb }, keeperMegabytes: { atMost: mostMb } },
      peersAbsent: [],
    };
  } finally {
    await built.remove();
  }
}

function writeProject(folder: string): void {
  mkdirSync(path.join(folder, 'trials'), { recursive: true });
  cpSync(path.join(import.meta.dirname, 'memory/talkative.mjs'), path.join(folder, 'talkative.mjs'));
  writeFileSync(
    path.join(folder, 'shakedown.yaml'),
    'name: memory\nservices:\n  web:\n    run: [node, talkative.mjs]\n    listen: { env: PORT }\n    ready: { http: /body }\n',
  );
  const trial = (id: string, step: string, expect: string): void =>
    writeFileSync(
      path.join(folder, 'trials', `${id}.trial.yaml`),
      `id: memory/${id}\nisolation: shared\ntimeout: 5m\nsteps:\n  - http: ${step}\n    timeout: 4m\n    expect: ${expect}\n`,
    );
  trial('talk', 'POST web/talk?mb=1024', '{ status: 200 }');
  trial('body', 'GET web/body?mb=100', '{ status: 200, bytes: 104857600 }');
}

async function runAndWatch(
  { binary, env }: BuiltPackage,
  cwd: string,
): Promise<{ runner: number; keeper: number }> {
  const child = spawn('node', [binary, 'run'], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
  const peak = await peakMegabytes(child.pid ?? 0, cwd, ended);
  const code = await ended;
  if (code !== 0) throw new Error(`the run ended with ${code}`);
  return peak;
}
