/** Programs that Shakedown can work without, each with what it is for and how to get it. */
import type { Packages } from './program-checks.ts';

export interface OptionalProgram extends Packages {
  readonly name: string;
  /** The same program under its different names. */
  readonly commands: readonly string[];
  /** Arguments that make it print its version. */
  readonly version: readonly string[];
  /** What it is for. */
  readonly use: string;
  readonly linuxOnly?: boolean;
}

export const optionalPrograms: readonly OptionalProgram[] = [
  {
    name: 'unshare',
    commands: ['unshare'],
    version: ['--version'],
    use: 'PID namespaces',
    debian: 'util-linux',
    macos: '',
    linuxOnly: true,
  },
  {
    name: 'git',
    commands: ['git'],
    version: ['--version'],
    use: 'recording which revision a run has tested, in a later version',
    debian: 'git',
    macos: 'git',
  },
  {
    name: 'tmux',
    commands: ['tmux'],
    version: ['-V'],
    use: 'driving programs on a terminal, in a later version',
    debian: 'tmux',
    macos: 'tmux',
  },
  {
    name: 'chromium',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    version: ['--version'],
    use: 'driving web pages, in a later version',
    debian: 'chromium',
    macos: '--cask chromium',
  },
  {
    name: 'redis-server',
    commands: ['redis-server', 'valkey-server'],
    version: ['--version'],
    use: 'systems with redis behind them, in a later version; today as a service of yours',
    debian: 'redis-server',
    macos: 'redis',
  },
  {
    name: 'nats-server',
    commands: ['nats-server'],
    version: ['--version'],
    use: 'sharing the work of a campaign between machines, in a later version',
    debian: 'nats-server',
    macos: 'nats-server',
  },
  {
    name: 'strace',
    commands: ['strace'],
    version: ['-V'],
    use: 'seeing what a process did to the machine, in a later version',
    debian: 'strace',
    macos: '',
    linuxOnly: true,
  },
];
