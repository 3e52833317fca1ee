/** The configuration of a server of our own: on an address of its own, with nothing that outlives it. Pure. */
import { Problem } from '../../../kernel/problem.ts';

/** Decided by the environment: its address and its folder, what would write to disk, and what hides commands that are needed. */
const fixedSettings = new Set(
  'port bind dir dbfilename save appendonly daemonize supervised pidfile logfile unixsocket unixsocketperm tls-port protected-mode replicaof slaveof cluster-enabled include rename-command user aclfile syslog-enabled'.split(
    ' ',
  ),
);

export interface ConfigNeeds {
  readonly where: string;
  readonly port: number;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The text of a `redis.conf`. */
export function serverConfig({ where, port, folder, settings }: ConfigNeeds): string {
  for (const [name, value] of Object.entries(settings)) {
    if (fixedSettings.has(name.toLowerCase())) throw refused(where, name, value);
    if (!/^[\w-]+$/.test(name) || /[\r\n\0]/.test(value)) throw unwritable(where, name, value);
  }
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    'protected-mode no',
    `dir ${quoted(folder)}`,
    'save ""',
    'appendonly no',
    ...Object.entries(settings).map(
      ([name, value]) => `${name} ${name === 'requirepass' || value === '' ? quoted(value) : value}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

function refused(where: string, name: string, value: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `the setting \`${name}\` (${JSON.stringify(value)}) is decided by the environment`,
    allowed: `any setting of redis.conf except ${[...fixedSettings].join(', ')}`,
    next: `leave \`${name}\` out; a server that needs it can be run by you, and named by its \`url\``,
  });
}

function unwritable(where: string, name: string, value: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `the setting ${JSON.stringify(name)} (${JSON.stringify(value)}) is not a line of redis.conf`,
    allowed: 'a name of letters, digits and -, and a value without line ends',
    next: `correct \`settings\`, such as \`maxmemory: 10mb\``,
  });
}
