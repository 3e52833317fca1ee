/** The page about trials is complete: it has every key and every operator, and its limits are the real ones. */
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { limits } from '../src/kernel/limits.ts';
import { observerLimits } from '../src/observers/observer-limits.ts';
import { operatorNames } from '../src/patterns/operators/operator-table.ts';
import { patternLimits } from '../src/patterns/pattern-limits.ts';
import { trialSchemaText } from '../src/trials/load/json-schema.ts';
import { fencedBlocks } from './docs/fenced-blocks.ts';
import { makeProject } from './harness/project.ts';
import { readProjectFile } from './harness/project-files.ts';

const page = readProjectFile('docs/reference/trials.md');

test('every key of a trial, a step and a check, and every operator', () => {
  const words = [...new Set([...keysOf(JSON.parse(trialSchemaText())), ...operatorNames])];
  expect(words.length).toBeGreaterThan(80);
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});

test('every example is well-formed inside a minimal trial', async () => {
  const blocks = fencedBlocks(page).filter(({ language }) => language === 'yaml');
  expect(blocks.length).toBeGreaterThan(10);
  const files = blocks.map(({ text, line, norun }): [string, string] => {
    const [, fragment] = /^a fragment, (.*)$/.exec(norun ?? '') ?? [];
    if (fragment !== undefined) return [`trials/${fragment}`, text];
    const { expect: pattern, ...part } = parse(text) as Record<string, unknown>;
    const steps = [{ http: 'GET shop/', as: 'page', expect: pattern ?? { status: 200 } }];
    const checks = { polite: { logs: 'shop', match: 'please', count: 1 } };
    return [`trials/line-${line}.trial.yaml`, stringify({ id: `line-${line}`, steps, checks, ...part })];
  });
  const result = await makeProject({ 'shakedown.yaml': shop, ...Object.fromEntries(files) }).run([
    'lint',
    '--json',
  ]);
  expect(JSON.parse(result.stdout), result.output).toMatchObject({ errors: [] });
});

const shop = `name: shop
resources:
  model: { kind: model }
  db: { kind: postgres }
  messenger: { kind: http, because: an example, callbacks: { channel: "\${shop.url}" } }
services:
  agent: { run: [node, agent.mjs], env: { MODEL: "\${model.url}" } }
  shop: { run: [node, shop.mjs], listen: { env: PORT }, env: { MAILER: "\${mailer.url}", DB: "\${db.url}" } }
  mailer: { run: [node, mailer.mjs], listen: { env: PORT } }
`;

test('the limits are those of the product', () => {
  const shown = [
    limits.trials.toLocaleString('en'),
    `${limits.configBytes / 1024 ** 2} MB`,
    limits.attempts.toLocaleString('en'),
    `${limits.keptBodyBytes / 1024 ** 2} MB; size and hash`,
    `${limits.quietWithinMs / 1000} seconds`,
    observerLimits.elements.toLocaleString('en'),
    patternLimits.matchSteps.toLocaleString('en'),
    `${patternLimits.regexMs / 1000} second, ${patternLimits.regexTextChars / 1024 ** 2} MB`,
    `\`${limits.stepWithinMs / 1000}s\`; \`${limits.readyWithinMs / 1000}s\` for restart`,
    `\`${limits.trialWithinMs / 1000}s\``,
  ];
  expect(shown.filter((text) => !page.includes(text))).toEqual([]);
});

function keysOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}
