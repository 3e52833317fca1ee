/** Runs a command inside of a container that runs. */
import type { Duplex } from 'node:stream';
import type { Engine } from './open-engine.ts';

export interface ExecWish {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly user?: string | undefined;
  readonly hasInput?: boolean;
}

export async function createExec({ http }: Engine, container: string, wish: ExecWish): Promise<string> {
  const { argv, env = {}, cwd, user, hasInput = false } = wish;
  const json = {
    AttachStdin: hasInput,
    AttachStdout: true,
    AttachStderr: true,
    Cmd: argv,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(cwd === undefined ? {} : { WorkingDir: cwd }),
    ...(user === undefined ? {} : { User: user }),
  };
  return ((await http.ask('POST', `/containers/${container}/exec`, { json })) as { Id: string }).Id;
}

/** The connection carries its input there and its outputs back, these in frames; it ends with the command. */
export function attachExec({ http }: Engine, id: string): Promise<Duplex> {
  return http.hijack(`/exec/${id}/start`, { Detach: false, Tty: false });
}

export interface ExecState {
  readonly isRunning: boolean;
  readonly exitCode: number | null;
  /** Outside of every namespace. */
  readonly pid: number;
}

export async function inspectExec({ http }: Engine, id: string): Promise<ExecState> {
  const { Running, ExitCode, Pid } = (await http.ask('GET', `/exec/${id}/json`)) as {
    readonly Running: boolean;
    readonly ExitCode: number | null;
    readonly Pid?: number;
  };
  return { isRunning: Running, exitCode: ExitCode, pid: Pid ?? 0 };
}
