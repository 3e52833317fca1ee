/** A compose file means here what it means to Docker Compose: services, variables, commands, order, ports and mounts. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCompose } from '../../src/system/compose/open-compose.ts';
import { projectFolder } from '../harness/config-project.ts';
import { findOnPath, needs } from '../harness/needs.ts';
import { agentStacks } from './agent-stacks.ts';
import type { CorpusCase } from './corpus-case.ts';
import { newerFiles } from './newer-files.ts';
import { olderFiles } from './older-files.ts';
import { pipelineStacks } from './pipeline-stacks.ts';
import { ofOurs, ofTool, type ResolvedProject } from './resolved.ts';

const expectations = path.join(import.meta.dirname, 'expected.json');
/** What Docker Compose 2.40 resolved; `SHAKEDOWN_WRITE_EXPECTED=1` writes it anew. */
const recorded = JSON.parse(await readFile(expectations, 'utf8').catch(() => '{}')) as Record<
  string,
  ResolvedProject
>;
const corpus = [...olderFiles, ...newerFiles, ...pipelineStacks, ...agentStacks];
const second = 'docker-compose-v2';
const known = corpus.filter((one) => one.not2 === undefined);

async function folderOf(one: CorpusCase): Promise<string> {
  return projectFolder({
    Dockerfile: 'FROM scratch\n',
    'token.txt': 't',
    'key.pem': 'k',
    'app.conf': 'c',
    ...one.texts,
  });
}

async function ours(one: CorpusCase, folder: string): Promise<ResolvedProject> {
  const files = (one.files ?? ['compose.yml']).map((file) => path.join(folder, file));
  const { profiles, env = {} } = one;
  const project = await openCompose({ files, profiles, variables: (name) => env[name] });
  for (const [index, { name, dependsOn }] of project.services.entries()) {
    const before = project.services.slice(0, index).map((service) => service.name);
    const needed = Object.entries(dependsOn).filter(([, { required }]) => required);
    expect(before, `${name} starts after what it needs`).toEqual(
      expect.arrayContaining(needed.map(([one]) => one)),
    );
  }
  return ofOurs(project, folder);
}

describe('as recorded from Docker Compose 2.40', () => {
  test.each(known.map((one) => [one.name, one] as const))('%s', async (name, one) => {
    expect(await ours(one, await folderOf(one))).toEqual(recorded[name]);
  });
});

describe('as Docker Compose 1.29 says now', () => {
  test.each(corpus.filter((one) => one.not129 === undefined).map((one) => [one.name, one] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, one) => {
      needs('docker-compose');
      const folder = await folderOf(one);
      expect(await ours(one, folder)).toEqual(await ofTool('docker-compose', one, folder));
    },
  );
});

/** It is in no package of Debian: where it is missing, what it said before is compared above. */
if (findOnPath(second).length > 0)
  test('what was recorded is what Docker Compose 2 says now', { timeout: 120_000 }, async () => {
    const found: Record<string, ResolvedProject> = {};
    for (const one of known) found[one.name] = await ofTool(second, one, await folderOf(one));
    if (process.env.SHAKEDOWN_WRITE_EXPECTED)
      await writeFile(expectations, `${JSON.stringify(found, null, 1)}\n`);
    else expect(found).toEqual(recorded);
  });
