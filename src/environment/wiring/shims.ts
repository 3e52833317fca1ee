/** Recorder shims: programs at the front of a service's PATH that record each call and exec the real program. */
import path from 'node:path';
import { makeFolderBelow, writeFileBelow } from '../../kernel/folders/entries-below.ts';
import { noDebugger, ownEntry } from '../../kernel/own-files.ts';
import type { ServiceSpec } from '../../system/system.ts';
import { findBinary } from '../processes/find-binary.ts';

type Shimmed = Pick<ServiceSpec, 'name' | 'shims' | 'stdioTools'>;

interface Startable {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** From the name of the edge's end to the folder of its calls, one file each. */
export function shimFolders(
  workspace: string,
  { name, shims = {}, stdioTools = [] }: Shimmed,
): Readonly<Record<string, string>> {
  const base = path.join(workspace, name, 'shims');
  const recorded = Object.keys(shims).filter((end) => !stdioTools.includes(end));
  return Object.fromEntries(recorded.map((end) => [end, path.join(base, end)]));
}

/**
 * Installs the shims; returns the program to start with them. The service itself is started as the real program: its
 * own start is not a call that it makes.
 */
export function withShims<Program extends Startable>(
  workspace: string,
  spec: Shimmed,
  program: Program,
): Program {
  const { shims = {} } = spec;
  if (Object.keys(shims).length === 0) return program;
  const { argv, cwd, env } = program;
  const searchPath = env.PATH ?? '';
  const bin = path.join(workspace, spec.name, 'shims', 'bin');
  const below = path.dirname(workspace);
  // A shell reads its script while it runs: one that is in use is replaced, never rewritten.
  const write = (command: string, text: string): void =>
    writeFileBelow(below, path.join(bin, command), text, 0o755);
  const records = shimFolders(workspace, spec);
  const find = (command: string, where: string): string => findBinary(command, searchPath, cwd, where);
  for (const [end, command] of Object.entries(shims)) {
    const where = `service ${spec.name}, shims.${end}`;
    const folder = records[end];
    if (folder === undefined) {
      const words = [process.execPath, noDebugger, stdioTap, workspace, spec.name, end, find(command, where)];
      write(command, `#!${find('sh', where)}\nexec ${words.map(quote).join(' ')} "$@"\n`);
      continue;
    }
    makeFolderBelow(below, path.dirname(folder), 0o711);
    makeFolderBelow(below, folder, 0o700);
    const [real, sh, date, mv] = [command, 'sh', 'date', 'mv'].map((tool) => find(tool, where));
    write(command, shimScript({ command, folder, real, sh, date, mv } as ShimScript));
  }
  const [first = '', ...rest] = argv;
  const isShimmed = Object.values(shims).includes(first);
  return {
    ...program,
    argv: isShimmed ? [find(first, `service ${spec.name}, phase start`), ...rest] : argv,
    env: { ...env, PATH: [bin, ...(searchPath === '' ? [] : [searchPath])].join(path.delimiter) },
  };
}

const stdioTap = ownEntry('environment/keeper/stdio-tap-main');

interface ShimScript {
  readonly command: string;
  readonly folder: string;
  /** Absolute paths, so that a shim never calls itself or another shim. */
  readonly real: string;
  readonly sh: string;
  readonly date: string;
  readonly mv: string;
}

/**
 * The file is complete once it has its final name. Whatever goes wrong, the real program runs. Where the clock has no
 * nanoseconds, the name holds seconds.
 */
function shimScript({ command, folder, real, sh, date, mv }: ShimScript): string {
  return `#!${sh}
shakedown_shim=$(${quote(date)} +%s%N </dev/null 2>/dev/null)
shakedown_shim=${quote(folder)}/"\${shakedown_shim%%[!0-9]*}-$$"
{ printf %s ${quote(command)}; [ $# -eq 0 ] || printf '\\000%s' "$@"; } 2>/dev/null >"$shakedown_shim.part" &&
${quote(mv)} "$shakedown_shim.part" "$shakedown_shim.call" </dev/null 2>/dev/null
unset shakedown_shim
exec ${quote(real)} "$@"
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
