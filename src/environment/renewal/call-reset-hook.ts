/** Resets a service through the call that it declares for that. */
import { formatDuration } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ServiceSpec } from '../../system/system.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import { logTail } from '../log-tail.ts';
import { nodeHttp } from '../readiness/node-http.ts';

/** Calls the service directly, because our own calls must not appear as traffic. `call` is such as `POST /reset`. */
export async function callResetHook(
  context: EnvironmentContext,
  spec: ServiceSpec,
  call: string,
  signal: AbortSignal,
): Promise<void> {
  const node = nodeOf(context, spec.name);
  const [method = '', path = ''] = call.split(' ');
  const address = node.addresses.get(spec.listen[0]?.name ?? '');
  if (!address) throw failed(spec, call, 'it has no port of its own', []);
  const patience = AbortSignal.any([signal, AbortSignal.timeout(limits.stepWithinMs)]);
  const saw = await statusOf({ ...address, method, path }, patience).catch((error: unknown) => {
    signal.throwIfAborted();
    if (patience.aborted) return `no answer within ${formatDuration(limits.stepWithinMs)}`;
    return error instanceof Error ? error.message : String(error);
  });
  if (typeof saw === 'number' && saw >= 200 && saw <= 299) return;
  throw failed(spec, call, typeof saw === 'number' ? `status ${saw}` : saw, logTail(node.logFile));
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
}

function statusOf(target: Target, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = nodeHttp().request({ ...target, agent: false, signal }, (response) => {
      response.on('error', reject);
      // Read the whole answer, so that the service is done when we continue.
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    sent.on('error', reject);
    sent.end();
  });
}

function failed(spec: ServiceSpec, call: string, saw: string, evidence: readonly string[]): Problem {
  return new Problem({
    code: 'system.reset-failed',
    where: `service ${spec.name}, reset`,
    what: `\`${call}\` did not reset it: ${saw}`,
    allowed: 'an answer with a status from 200 to 299',
    next: 'correct `reset` in the config, or write `reset: restart`',
    evidence,
  });
}
