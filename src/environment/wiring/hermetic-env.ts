/** The environment variables of a child: only what a program needs to run, nothing else of the user's environment. */
import path from 'node:path';
import { changeMode, makeFolderBelow } from '../../kernel/folders/entries-below.ts';

/** Every child of an environment has it among its environment variables. */
export const markerVariable = 'SHAKEDOWN_ENVIRONMENT';

/** Folders of one service or job, below the environment's workspace; removed with it. */
export interface OwnFolders {
  /** `${self.dir}`: rendered files, and the service's own data. */
  readonly dir: string;
  readonly home: string;
  readonly tmp: string;
}

const passedOn = [
  'PATH',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'SYSTEMROOT',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

/**
 * The variables of our own processes, which every process of the same user can read: enough to run, and nothing secret.
 */
export function plainVariables(
  hostEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(hostEnv).filter(([name]) => passedOn.includes(name) || plain.test(name)),
  );
}

const plain =
  /^(?:HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TMP|TEMP|LC_[A-Z]+|(?:LD|DYLD|NODE(?!_DEBUG)|SHAKEDOWN_TEST)_[A-Z0-9_]+|SHAKEDOWN_ENVIRONMENT)$/;

export function ownFolders(workspace: string, name: string): OwnFolders {
  const base = path.join(workspace, name);
  return { dir: path.join(base, 'dir'), home: path.join(base, 'home'), tmp: path.join(base, 'tmp') };
}

export function makeOwnFolders(workspace: string, name: string): OwnFolders {
  const folders = ownFolders(workspace, name);
  const below = path.dirname(workspace);
  // Other users may traverse root's folders to reach files that a service shares, but not list them.
  makeFolderBelow(below, path.join(workspace, name), 0o711);
  for (const folder of Object.values(folders)) makeFolderBelow(below, folder, 0o700);
  return folders;
}

/** `dir` can be read by every user that sees it; whoever is not us sees it only where it is mounted. */
export function shareFolder(workspace: string, name: string): void {
  const below = path.dirname(workspace);
  changeMode(below, path.join(workspace, name), 0o700);
  changeMode(below, ownFolders(workspace, name).dir, 0o755);
}

export function hermeticEnv(
  hostEnv: Readonly<Record<string, string | undefined>>,
  folders: OwnFolders,
  environment: string,
): Record<string, string> {
  const kept = passedOn.flatMap((name) =>
    hostEnv[name] === undefined ? [] : [[name, hostEnv[name]] as const],
  );
  return {
    ...Object.fromEntries(kept),
    HOME: folders.home,
    TMPDIR: folders.tmp,
    TMP: folders.tmp,
    TEMP: folders.tmp,
    XDG_CONFIG_HOME: path.join(folders.home, '.config'),
    XDG_CACHE_HOME: path.join(folders.home, '.cache'),
    XDG_DATA_HOME: path.join(folders.home, '.local', 'share'),
    XDG_STATE_HOME: path.join(folders.home, '.local', 'state'),
    XDG_RUNTIME_DIR: folders.tmp,
    // Without a terminal Python buffers its output, and the log would stay empty.
    PYTHONUNBUFFERED: '1',
    USER: hostEnv.USER ?? 'shakedown',
    LOGNAME: hostEnv.LOGNAME ?? hostEnv.USER ?? 'shakedown',
    [markerVariable]: environment,
  };
}
