/** Finds the interpreter of a Python program: a virtual environment or an interpreter as given, or the nearest one. */
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { isExecutable } from '../../kernel/is-executable.ts';
import { Problem } from '../../kernel/problem.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { findBinary } from '../processes/find-binary.ts';

export interface Python {
  /** Absolute, and not resolved: by this path, the interpreter knows its virtual environment. */
  readonly file: string;
  /** The folder of that. */
  readonly venv?: string;
}

export interface PythonPlaces {
  /** Of the config. */
  readonly folder: string;
  readonly cwd: string;
  readonly searchPath: string;
  /** `$VIRTUAL_ENV` of whoever runs Shakedown. */
  readonly active?: string | undefined;
  /** Names the program, for a problem. */
  readonly where: string;
}

/** `given` is a folder, a file, or the name of a program on PATH; without it, the nearest one is taken. */
export function findPython(given: string | undefined, places: PythonPlaces): Python {
  const { folder, cwd, searchPath, active, where } = places;
  const named = given !== undefined && isName(given) && !isThere(path.resolve(folder, given));
  if (given !== undefined && !named) return pythonAt(path.resolve(folder, given), given, places);
  const near = [cwd, folder].flatMap((base) => ['.venv', 'venv'].map((name) => path.join(base, name)));
  const found = named ? undefined : near.find((venv) => isThere(path.join(venv, 'pyvenv.cfg')));
  if (found !== undefined) return pythonAt(found, path.relative(folder, found), places);
  if (!named && active) return pythonAt(active, `$VIRTUAL_ENV, ${active}`, places);
  // It is meant to be one, and is empty or leads nowhere: python3 on PATH would lack its packages.
  const broken = named
    ? undefined
    : near.find((venv) => path.basename(venv) === '.venv' && isFolderOrGone(venv));
  if (broken !== undefined) return pythonAt(broken, path.relative(folder, broken), places);
  return withVenv(findBinary(given ?? 'python3', searchPath, cwd, where));
}

function isName(given: string): boolean {
  return /^(?:python|pypy)[\w.]*$/.test(given);
}

function pythonAt(place: string, written: string, { folder, where }: PythonPlaces): Python {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? path.join(place, 'bin', 'python') : place;
  if (isExecutable(file)) return withVenv(file);
  const target = endOfLinks(file);
  const gone =
    target === file
      ? ''
      : `: \`${file}\` is a link to \`${target}\`, which ${isThere(target) ? 'is no program' : 'is not there'}`;
  const lack = isFolder ? `has no interpreter \`bin/python\` that runs${gone}` : `is not there${gone}`;
  // Of a file, the folder that would be made is that of its environment.
  const venv =
    isFolder || !/^(?:python|pypy)/.test(path.basename(place)) ? place : path.resolve(place, '../..');
  return refuse(`the Python of \`${written}\` ${lack}`, venv, isThere(venv), { folder, where });
}

/** A folder, or a link that leads nowhere; a file names an environment of another tool. */
function isFolderOrGone(place: string): boolean {
  return isThere(place) && (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? true);
}

/** Where a link leads over others, such as `python` over `python3`; of a loop, somewhere in it. */
function endOfLinks(file: string, hops = 40): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink && hops > 0
    ? endOfLinks(path.resolve(path.dirname(file), readlinkSync(file)), hops - 1)
    : file;
}

function refuse(
  what: string,
  venv: string,
  isBroken: boolean,
  { folder, where }: Pick<PythonPlaces, 'folder' | 'where'>,
): never {
  throw new Problem({
    code: 'world.missing-binary',
    where,
    what,
    allowed: 'a folder made by `python3 -m venv`, uv or Poetry; an interpreter; or the name of one on PATH',
    next: `make it${isBroken ? ' again' : ''}: ${makeCommand(folder, venv, isBroken)}`,
  });
}

/** As the project installs itself, judged by its files. */
export function makeCommand(folder: string, venv: string, isBroken: boolean): string {
  const has = (name: string): boolean => isThere(path.join(folder, name));
  const shown = shellWord(path.relative(folder, venv) || '.');
  const clear = isBroken ? `rm -r ${shown} && ` : '';
  if (has('uv.lock')) return `${clear}uv sync`;
  const made = `${clear}python3 -m venv ${shown}`;
  const install = `${shown}/bin/python -m pip install`;
  if (has('requirements.txt')) return `${made} && ${install} -r requirements.txt`;
  return has('pyproject.toml') ? `${made} && ${install} -e .` : made;
}

function withVenv(file: string): Python {
  const venv = path.resolve(file, '../..');
  return isThere(path.join(venv, 'pyvenv.cfg')) ? { file, venv } : { file };
}

/** Also as a link that leads nowhere. */
function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}
