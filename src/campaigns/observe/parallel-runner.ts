/** Detects runners that execute several tests at once without saying so in their reports, by their options. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** pytest-xdist: in the command line, in PYTEST_ADDOPTS, or in `addopts` of a file that pytest reads. */
const option =
  /(?:^|[\s"'[,=])(?:-n[\s=]*(?:auto|logical|[1-9])|--(?:numprocesses|workers)\b(?![\s=]*0)|--dist\b(?![\s=]*no\b)|--tx\b)/;
const settings = ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'];
/** With continuation lines: indented, or the rest of a list. */
const addopts = /^[ \t]*addopts[ \t]*=.*(?:\n[ \t]+.*|\n["'\]].*)*/m;

/** Why tests may have run in parallel; undefined if nothing indicates it. */
export function parallelBecause(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): string | undefined {
  const at = argv.findIndex((word) => /\bpy\.?test\b/.test(word));
  const isPytest = at >= 0;
  const words = argv.slice(at).join(' ');
  if (isPytest && /\s-n[\s=]*0\b/.test(words)) return undefined;
  const places = [
    ...(isPytest ? [['the command line', words]] : []),
    ['PYTEST_ADDOPTS', env.PYTEST_ADDOPTS ?? ''],
    ...(isPytest
      ? settings.map((name) => [name, addopts.exec(textOf(path.join(cwd, name)))?.[0] ?? ''])
      : []),
  ];
  const [place] = places.find(([, text = '']) => option.test(text)) ?? [];
  return place === undefined ? undefined : `pytest runs tests in parallel, set in ${place}`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not there
  }
}
