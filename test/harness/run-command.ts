/** Runs a command to its end and returns what it printed. */
import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both outputs, in the order of arrival. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly withinMs?: number;
}

export function runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const [command = '', ...args] = argv;
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: plainEnv(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.withinMs ?? 60_000,
  });
  const seen = { stdout: '', stderr: '', output: '' };
  const keep = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
    seen[stream] += chunk;
    seen.output += chunk;
  };
  child.stdout.on('data', keep('stdout'));
  child.stderr.on('data', keep('stderr'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...seen }));
  });
}

/** Without the variables of `npm run`, which a nested npm would use as its own, and without colours. */
function plainEnv(own: CommandOptions['env'] = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?:package|lifecycle|command|execpath|node_execpath|config_local_prefix)|INIT_CWD|FORCE_COLOR|VITEST)/.test(
        name,
      ),
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...own };
}
