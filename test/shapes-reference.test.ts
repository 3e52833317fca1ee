/** The page about shapes has every row of the corpus, as in the code. */
import { expect, test } from 'vitest';
import type { Shape } from '../src/protocols/shapes/shape.ts';
import { shapes } from '../src/protocols/shapes/shape-table.ts';
import { makeProject } from './harness/project.ts';
import { readProjectFile } from './harness/project-files.ts';

const page = readProjectFile('docs/reference/shapes.md');
const rows = page.split('\n').filter((line) => /^\| `[A-Z]\d\d` /.test(line));

test('every row is on the page, in its order, and says what the code does', () => {
  expect(rows.map(cellsOf)).toEqual(shapes.map(cellsFor));
});

test('the numbers of the text are those of the table', () => {
  const generated = shapes.filter(({ why }) => why === undefined).length;
  expect(shapes).toHaveLength(175);
  expect(page.replaceAll('\n', ' ')).toContain(`knows ${shapes.length} of them`);
  expect(page).toContain(`can send an answer in ${generated} of them`);
  const odd = shapes.filter(({ tier }) => tier === '2c');
  const rejected = odd.filter(({ policy }) => policy === 'reject').map(({ id }) => `\`${id}\``);
  expect(page.replaceAll('\n', ' ')).toContain(
    `${odd.length} rows, all are accepted but ${rejected.join(', ')}.`,
  );
});

test('a row has a generator or says why not, and exactly those of tier 2c have a policy', () => {
  for (const { id, tier, policy, make, makeRpc, why } of shapes) {
    expect(
      [make, makeRpc, why].filter((one) => one !== undefined),
      id,
    ).toHaveLength(1);
    expect(policy !== undefined, id).toBe(tier === '2c');
  }
});

test('the verb lists the same rows as JSON, and explains a name that it does not know', async () => {
  const project = makeProject({});
  const all = await project.run(['shapes', '--json']);
  const { shapes: listed } = JSON.parse(all.stdout) as { shapes: { id: string; generated: boolean }[] };
  expect(listed.map(({ id, generated }) => [id, generated])).toEqual(
    shapes.map(({ id, why }) => [id, why === undefined]),
  );
  const some = await project.run(['shapes', '--over', 'anthropic', '--tier', '2c']);
  expect(some.stdout).toContain('A03  2c');
  expect(some.stdout).not.toContain('A01');
  const wrong = await project.run(['shapes', 'C99']);
  expect([wrong.code, wrong.output]).toEqual([2, expect.stringMatching(/unknown value "C99"/)]);
});

function cellsOf(line: string): readonly string[] {
  return line
    .slice(2, -2)
    .split(' | ')
    .map((cell) => cell.trim());
}

function cellsFor({ id, tier, title, right, policy, why }: Shape): readonly string[] {
  return [`\`${id}\``, tier, title, right, policy ?? '', why === undefined ? 'yes' : `no: ${why}`];
}
