/** Performs `command: …, in: service`: the keeper runs it inside of the container; the evidence is that of any command. */
import type { ActEvidence } from '../../drivers/driver.ts';
import { argvOf, type Spec, textsOf } from '../../kinds/kind/step-kind.ts';
import { readJson } from '../../protocols/json-rpc/read-json.ts';
import type { LiveEnvironment } from './live-environment.ts';

interface Inside {
  readonly environment: Pick<LiveEnvironment, 'ask' | 'clock'>;
  readonly driving: { readonly bodyBytes: number };
}

export async function runInside(attempt: Inside, spec: Spec, timeoutMs: number): Promise<ActEvidence> {
  const { ask, clock } = attempt.environment;
  const startedAt = clock.monotonic();
  const { env = {} } = textsOf(spec, 'env');
  const answer = await ask('inside', {
    service: String(spec.in),
    argv: argvOf(spec.command),
    env: env as Readonly<Record<string, string>>,
    withinMs: timeoutMs,
    mostBytes: attempt.driving.bodyBytes,
    ...(spec.cwd === undefined ? {} : { cwd: String(spec.cwd) }),
    ...(spec.stdin === undefined ? {} : { stdin: String(spec.stdin) }),
  });
  const { code, stdout, stderr, stdoutBytes, stderrBytes } = answer;
  const isCut = Math.max(stdoutBytes, stderrBytes) > attempt.driving.bodyBytes;
  const parsed = isCut ? undefined : readJson(stdout);
  const message = `it had not ended after ${timeoutMs} ms and was killed`;
  return {
    ...{ exitCode: code, signal: null, stdout, stderr },
    ...(parsed && 'json' in parsed ? parsed : {}),
    ...(isCut ? { truncated: true, stdoutBytes, stderrBytes } : {}),
    durationMs: clock.monotonic() - startedAt,
    ...(code === null ? { error: { kind: 'timeout', message } } : {}),
  };
}
