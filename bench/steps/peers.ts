/** Other tools that do the same, as far as they are installed: on PATH, or in the folder that BENCH_PEERS names. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export interface Peer {
  readonly name: string;
  readonly install: string;
  readonly binary: string;
  argv(binary: string, url: string): readonly string[];
  /** Below the folder of the suites. */
  readonly cwd?: string;
}

export const peers: readonly Peer[] = [
  {
    name: 'hurl',
    install: 'cargo install hurl',
    binary: 'hurl',
    argv: (binary, url) => [binary, '--test', '--variable', `url=${url}`, 'steps.hurl'],
  },
  {
    name: 'venom',
    install: 'go install github.com/ovh/venom/cmd/venom@latest',
    binary: 'venom',
    argv: (binary, url) => [binary, 'run', 'steps.venom.yml', '--var', `url=${url}`],
  },
  {
    name: 'runn',
    install: 'go install github.com/k1LoW/runn/cmd/runn@latest',
    binary: 'runn',
    argv: (binary) => [binary, 'run', 'steps.runn.yml'],
  },
  {
    name: 'playwright',
    install: 'npm install @playwright/test',
    binary: 'playwright',
    argv: (binary) => [binary, 'test', '--reporter=line', '--workers=1'],
    cwd: 'playwright',
  },
  {
    name: 'promptfoo',
    install: 'npm install promptfoo',
    binary: 'promptfoo',
    argv: (binary) => [
      binary,
      'eval',
      '-c',
      'promptfoo.yaml',
      '--no-cache',
      '--no-progress-bar',
      '--no-write',
      '-j',
      '1',
    ],
  },
];

/** Where the program is, or undefined. */
export function findPeer({ binary }: Peer, env: NodeJS.ProcessEnv): string | undefined {
  const own = env.BENCH_PEERS?.split(path.delimiter) ?? [];
  return [...own, ...(env.PATH ?? '').split(path.delimiter)]
    .map((folder) => path.join(folder, binary))
    .find((file) => isProgram(file));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not there
  }
}
