/** The variables that a sweep needs, encrypted in the workspace; only guard and keeper have the key, in memory. */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOwnFile } from '../../kernel/folders/own-file.ts';
import { orElse } from '../../kernel/or-else.ts';
import { Problem } from '../../kernel/problem.ts';
import { freshKey } from '../../kernel/unique-id.ts';
import type { Plan } from '../plan.ts';

type Variables = Readonly<Record<string, string | undefined>>;

interface Sealed {
  readonly salt: string;
  readonly mark: string;
  readonly nonce: string;
  readonly tag: string;
  readonly data: string;
}

const fileName = 'variables.sealed';

/** Only the variables that the plan refers to. */
export function sealVariables(plan: Plan, key: string, hostEnv: Variables): void {
  const referred = [...JSON.stringify(plan.system).matchAll(/\$\{env\.(\w+)/g)].map(([, name = '']) => name);
  const names = new Set([...plan.system.secrets, ...referred]);
  if (names.size === 0) return;
  const kept = Object.fromEntries([...names].map((name) => [name, hostEnv[name]]));
  const nonce = freshKey(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.from(nonce, 'hex'));
  const data = Buffer.concat([cipher.update(JSON.stringify(kept)), cipher.final()]).toString('base64');
  const salt = freshKey(16);
  const sealed: Sealed = {
    salt,
    mark: markOf(plan, salt, hostEnv),
    nonce,
    tag: cipher.getAuthTag().toString('hex'),
    data,
  };
  writeFileSync(path.join(plan.workspace, fileName), JSON.stringify(sealed), { mode: 0o600 });
}

/** The values at the start if the key fits, otherwise the current ones. */
export function findVariables(plan: Plan, key: string | undefined, hostEnv: Variables) {
  const { secrets } = plan.system;
  const sealed = readSealed(plan.workspace);
  const opened = sealed && key ? open(sealed, key) : undefined;
  if (opened) return { variables: { ...hostEnv, ...opened }, doubt: undefined };
  if (sealed?.mark === markOf(plan, sealed?.salt ?? '', hostEnv))
    return { variables: hostEnv, doubt: undefined };
  const unset = secrets.filter((name) => hostEnv[name] === undefined);
  if (unset.length > 0) return { variables: hostEnv, doubt: `${unset.join(', ')} was not set` };
  return {
    variables: hostEnv,
    /** Why the values of the secrets may differ from those at the start; undefined when they are the same. */
    doubt: `${secrets.join(', ')} ${sealed ? 'had' : 'may have had'} another value`,
  };
}

/** Without the values at the start, the output of an environment could not be redacted. */
export function refuseOtherSecrets(plan: Plan, hostEnv: Variables): void {
  const { doubt } = findVariables(plan, undefined, hostEnv);
  if (plan.system.secrets.length === 0 || doubt === undefined) return;
  const names = plan.system.secrets.join(', ');
  throw new Problem({
    code: 'usage.other-secrets',
    where: `the environment of run ${plan.run}`,
    what: `it was started with secrets that differ from those set here: ${doubt.replace('had', 'has').replace('was', 'is')}`,
    allowed: `the same values of ${names}, because they are redacted from all output`,
    next: 'set them as they were, or end the environment (shakedown down) and start it with the current values',
  });
}

/** Sixteen bits of a hash: a different value matches once in 65,536 times, and a guess cannot be confirmed by it. */
function markOf({ system: { secrets } }: Plan, salt: string, hostEnv: Variables): string {
  const values = secrets.map((name) => hostEnv[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([salt, values]))
    .digest('hex')
    .slice(0, 4);
}

/** Where it was never written, or is damaged, the current values are used. */
function readSealed(workspace: string): Sealed | undefined {
  return orElse(() => JSON.parse(readOwnFile(path.join(workspace, fileName))) as Sealed, undefined);
}

function open({ nonce, tag, data }: Sealed, key: string): Variables | undefined {
  try {
    const cipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.from(nonce, 'hex'));
    cipher.setAuthTag(Buffer.from(tag, 'hex'));
    const bytes = Buffer.concat([cipher.update(data, 'base64'), cipher.final()]);
    return JSON.parse(bytes.toString()) as Variables;
  } catch {
    return undefined; // another key
  }
}
