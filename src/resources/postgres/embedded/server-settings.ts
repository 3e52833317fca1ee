/** The settings of an embedded server: quick to start, quick to write, safe to throw away. Pure. */
import { Problem } from '../../../kernel/problem.ts';

/** Decided by the environment; a user's value would cut the server off from it. */
const fixedSettings = [
  'port',
  'listen_addresses',
  'unix_socket_directories',
  'data_directory',
  'config_file',
  'hba_file',
];

export interface SettingsNeeds {
  readonly where: string;
  /** Of PostgreSQL: `18.4`. */
  readonly version: string;
  readonly port: number;
  readonly own: Readonly<Record<string, string>>;
}

/** As `-c name=value` words. */
export function serverSettings({ where, version, port, own }: SettingsNeeds): readonly string[] {
  refuseFixed(where, own);
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...throwaway,
    ...(Number.parseInt(version, 10) >= 18 ? { io_method: 'sync', file_copy_method: 'clone' } : {}),
    ...own,
  };
  return words(settings, own);
}

/** Of a server in a container, which has its addresses and folders to itself. */
export function containerSettings(where: string, own: Readonly<Record<string, string>>): readonly string[] {
  refuseFixed(where, own);
  return words({ ...throwaway, ...own }, own);
}

function refuseFixed(where: string, own: Readonly<Record<string, string>>): void {
  const refused = Object.keys(own).find((name) => fixedSettings.includes(name.toLowerCase()));
  if (refused !== undefined) throw fixedSetting(where, refused, own[refused] ?? '');
}

function words(
  settings: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): readonly string[] {
  // A config that turns replication on needs the senders that are off without it.
  const hasSenders = own.wal_level !== undefined && own.max_wal_senders === undefined;
  return Object.entries(settings).flatMap(([name, value]) =>
    hasSenders && name === 'max_wal_senders' ? [] : ['-c', `${name}=${value}`],
  );
}

const throwaway: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_init_zero: 'off',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  shared_buffers: '64MB',
  huge_pages: 'off',
  max_connections: '200',
  autovacuum_max_workers: '1',
  // Its segments are removed with the data folder, even after a kill; by default they stay in /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  ssl: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] %q%u@%d ',
};

function fixedSetting(where: string, name: string, value: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: `the setting \`${name}\` (${JSON.stringify(value)}) is decided by the environment`,
    allowed: `any setting of PostgreSQL except ${fixedSettings.join(', ')}`,
    next: `leave \`${name}\` out; consumers get the address through \`\${name.host}\` and \`\${name.port}\``,
  });
}
