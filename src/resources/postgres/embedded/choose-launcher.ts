/** Decides which user runs PostgreSQL: it refuses root and users without a name, and the machine stays unchanged. */
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { changeMode } from '../../../kernel/folders/entries-below.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { ResourceContext } from '../../resource.ts';
import { runTool } from '../../run-step.ts';

export interface Launcher {
  /** For people: `as nobody`. */
  readonly how: string;
  /** Words before the program's own. */
  readonly prefix: readonly string[];
  readonly as?: { readonly uid: number; readonly gid: number };
  /** The owner of the data folder, as seen from here. */
  readonly ownerUid: number;
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Each way is tried on the real paths, because modes, access lists and namespaces can all forbid it. */
export async function chooseLauncher(
  context: ResourceContext,
  where: string,
  binary: string,
): Promise<Launcher> {
  const uid = process.getuid?.() ?? -1;
  if (uid !== 0 && hasName()) return { how: 'as yourself', prefix: [], ownerUid: uid };
  // The user that runs PostgreSQL has to pass through here to its data.
  if (uid === 0) changeMode(path.dirname(path.dirname(context.folder)), context.folder, 0o711);
  const tried: string[] = [];
  for (const launcher of launchersFor(uid, await ordinaryAccount())) {
    const obstacle = await tryLauncher(context, launcher, binary);
    if (obstacle === undefined) return launcher;
    tried.push(`${launcher.how}: ${obstacle}`);
  }
  throw nobodyMayRun(where, uid, tried);
}

/** Containers may run as a user id without a name. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function launchersFor(own: number, { name, uid, gid }: Account): readonly Launcher[] {
  return [
    ...(own === 0 ? [{ how: `as user ${name}`, prefix: [], as: { uid, gid }, ownerUid: uid }] : []),
    // Ourselves outside, where the files are; an ordinary user inside, where PostgreSQL looks.
    {
      how: `as user ${name} of a user namespace`,
      prefix: ['unshare', `--map-user=${uid}`, `--map-group=${gid}`],
      ownerUid: own,
    },
  ];
}

/** The traditional account without rights, or any other ordinary one: PostgreSQL insists that its user has a name. */
async function ordinaryAccount(): Promise<Account> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const accounts = text.split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const ordinary = accounts.filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid > 0);
  return (
    ordinary.find(({ name }) => name === 'nobody') ??
    ordinary[0] ?? { name: 'nobody', uid: 65534, gid: 65534 }
  );
}

async function tryLauncher(
  context: ResourceContext,
  launcher: Launcher,
  binary: string,
): Promise<string | undefined> {
  const script = 'test -x "$1" && cd "$2"';
  try {
    const argv = [...launcher.prefix, 'sh', '-c', script, 'sh', binary, context.folder];
    const { code, said } = await runTool(context, argv, launcher.as);
    if (code === 0) return undefined;
    return said.at(-1) ?? `cannot reach ${binary} and ${context.folder}`;
  } catch (error) {
    context.signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
  }
}

function nobodyMayRun(where: string, uid: number, tried: readonly string[]): Problem {
  return new Problem({
    code: 'world.not-permitted',
    where,
    what: `PostgreSQL refuses to run as ${uid === 0 ? 'root' : `user ${uid}, which has no name`}, and no other way to run it worked`,
    allowed:
      'an ordinary user with a name; or root where an ordinary user can reach the binaries, or where user namespaces are permitted',
    next: 'run Shakedown as an ordinary user (a line in /etc/passwd gives one a name), or move the project out of folders that only root can enter, or set `url`',
    evidence: tried.map((line) => `tried ${line}`),
  });
}
