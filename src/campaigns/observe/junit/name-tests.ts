/** Gives each test of several reports the one name by which it is known in every run. Pure. */
import path from 'node:path';
import type { JunitReport, JunitTest } from './parse-junit.ts';

export interface NamedTest {
  readonly id: string;
  readonly file?: string;
  /** The one that tells: the first with the worst outcome. */
  readonly worst: JunitTest;
  readonly durationMs: number | null;
  /** All of them, as the reports have them. */
  readonly members: readonly JunitTest[];
}

/** Below this folder, files are named by their way from it. Tests of one name are one test, unless they stand in different files. */
export function nameTests(reports: readonly JunitReport[], folder: string): readonly NamedTest[] {
  const tests = reports.flatMap((report) => report.tests);
  return [...Map.groupBy(tests, plainName)].flatMap(([name, sameName]) => {
    const files = [...Map.groupBy(sameName, (test) => fileOf(test, folder))];
    return files.flatMap(([file, group]) =>
      unite(files.length > 1 && file !== '' ? `${file} › ${name}` : name, file, group),
    );
  });
}

/** Words that a runner writes for a class where there is none. */
const noClass = ['', 'test', 'suite'];

function plainName({ classname, path: around, name }: JunitTest): string {
  const place = noClass.includes(classname ?? '') ? around.join(' › ') : (classname as string);
  return place === '' || place === name ? name : `${place} › ${name}`;
}

const worstFirst: readonly JunitTest['outcome'][] = ['failed', 'passed', 'skipped'];

function unite(id: string, file: string, members: readonly JunitTest[]): readonly NamedTest[] {
  const [worst] = worstFirst.flatMap((outcome) => members.find((test) => test.outcome === outcome) ?? []);
  if (!worst) return [];
  const times = members.flatMap(({ durationMs }) => durationMs ?? []);
  const durationMs = times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0);
  return [{ id, ...(file === '' ? {} : { file }), worst, durationMs, members }];
}

/** Empty where the report names none. */
function fileOf({ file = '' }: JunitTest, folder: string): string {
  const plain = file.startsWith('file://') ? file.slice('file://'.length) : file;
  if (plain === '') return '';
  const relative = path.relative(folder, path.resolve(folder, plain));
  return relative === '' || relative.startsWith('..') ? plain : relative;
}
