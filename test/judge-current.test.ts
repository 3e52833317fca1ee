/** `judge --current`: what was observed, judged by the trials as they are now; what was not performed is unknown. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunVerdict } from '../src/checks/verdict.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const config = `services:
  peer: { run: [node, services/misbehaves.mjs], listen: [{ env: PORT }, { env: LINE_PORT, name: line, scheme: tcp }] }`;

const trial = (step: string, more = '') => `${more}steps:
  - { http: GET peer/, as: got, ${step} }
checks: { body: { exchange: got, expect: { json: { ok: true } } } }`;

test('the expectation of a step is judged anew, and other steps are not taken for those that were performed', async () => {
  const project = trialsProject(config, { a: trial('expect: { status: 200 }') });
  const performed = await performTrials(project);
  expect(performed.code, performed.text).toBe(0);
  const judged = async (text: string) => {
    writeFileSync(path.join(project.folder, 'trials/a.trial.yaml'), `id: a\n${text}\n`);
    const { code, stdout } = await project.run(['judge', '--current', '--json']);
    const [first] = (JSON.parse(stdout) as RunVerdict).trials;
    return [code, first?.verdict, first?.cause?.text];
  };
  const same = trial('expect: { status: 200 }', 'title: Another title\ntags: [a]\n');
  expect(await judged(same)).toEqual([0, 'passed', undefined]);
  expect(await judged(trial('expect: { status: 201 }'))).toEqual([
    1,
    'failed',
    'step got: expected 201, observed 200',
  ]);
  const otherwise = [6, 'unknown', 'it was not performed as it is written now; run it again'];
  expect(await judged(trial('query: { a: 1 }, expect: { status: 200 }'))).toEqual(otherwise);
  const second = trial('expect: { status: 200 } }\n  - { http: GET peer/ ');
  expect(await judged(second)).toEqual(otherwise);
});
