/** Runners that work on several tests at once and do not say so in their reports: what they were told tells it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Of pytest-xdist, in words, in PYTEST_ADDOPTS, or in `addopts` of a file that pytest reads. */
const option =
  /(?:^|[\s"'[,=])(?:-n[\s=]*(?:auto|logical|[1-9])|--(?:numprocesses|workers)\b(?![\s=]*0)|--dist\b(?![\s=]*no\b)|--tx\b)/;
const settings = ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'];
/** With the lines that go on: indented, or the rest of a list. */
const addopts = /^[ \t]*addopts[ \t]*=.*(?:\n[ \t]+.*|\n["'\]].*)*/m;

/** Why tests may have run side by side; undefined when nothing says so. */
export function parallelBecause(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): string | undefined {
  const at = argv.findIndex((word) => /\bpy\.?test\b/.test(word));
  const isPytest = at >= 0;
  const words = argv.slice(at).join(' ');
  if (isPytest && /\s-n[\s=]*0\b/.test(words)) return undefined;
  const places = [
    ...(isPytest ? [['its words', words]] : []),
    ['PYTEST_ADDOPTS', env.PYTEST_ADDOPTS ?? ''],
    ...(isPytest
      ? settings.map((name) => [name, addopts.exec(textOf(path.join(cwd, name)))?.[0] ?? ''])
      : []),
  ];
  const [place] = places.find(([, text = '']) => option.test(text)) ?? [];
  return place === undefined ? undefined : `pytest runs tests side by side, as in ${place}`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not there
  }
}
