/** The environment variables of a child: nothing of the user's machine but what a program needs to run at all. */
import path from 'node:path';
import { makeFolderBelow } from '../../kernel/folders/entries-below.ts';
import { markerVariable } from '../containment/marker.ts';

/** Folders of one service or job, below the environment's workspace; all gone with it. */
export interface OwnFolders {
  /** `${self.dir}`: rendered files, and whatever the service wants to keep. */
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

/** What a process of ours carries where every process of the same user can read it: enough to run, and nothing of value. */
export function plainVariables(
  hostEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(hostEnv).filter(([name]) => passedOn.includes(name) || plain.test(name)),
  );
}

const plain =
  /^(?:HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TMP|TEMP|LC_[A-Z]+|(?:LD|DYLD|NODE|SHAKEDOWN_TEST)_[A-Z0-9_]+|SHAKEDOWN_ENVIRONMENT)$/;

export function ownFolders(workspace: string, name: string): OwnFolders {
  const base = path.join(workspace, name);
  return { dir: path.join(base, 'dir'), home: path.join(base, 'home'), tmp: path.join(base, 'tmp') };
}

export function makeOwnFolders(workspace: string, name: string): OwnFolders {
  const folders = ownFolders(workspace, name);
  const below = path.dirname(workspace);
  // Of root's, others may pass on the way to what a service gives them, and look at nothing.
  makeFolderBelow(below, path.join(workspace, name), 0o711);
  for (const folder of Object.values(folders)) makeFolderBelow(below, folder, 0o700);
  return folders;
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
    // Python holds back what it prints when no terminal is there; a log that is empty helps nobody.
    PYTHONUNBUFFERED: '1',
    USER: hostEnv.USER ?? 'shakedown',
    LOGNAME: hostEnv.LOGNAME ?? hostEnv.USER ?? 'shakedown',
    [markerVariable]: environment,
  };
}
