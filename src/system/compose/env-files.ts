/** Reads env files: those that give a project its variables, and those of its services. */
import path from 'node:path';
import { Problem } from '../../kernel/problem.ts';
import { positionAt } from '../../kernel/source-position.ts';
import type { MapNode, YamlNode, YamlPlace } from '../source/yaml-tree.ts';
import { checkedMap } from './check-keys.ts';
import { envFileKeys } from './compose-keys.ts';
import { fieldOf, isNull, itemsOf, textOf, wrongValue } from './compose-node.ts';
import { parseDotenv, parseRawEnv } from './dotenv.ts';
import type { LookUp } from './interpolate.ts';
import type { ComposeReading } from './read-compose-file.ts';

export interface ProjectVariables {
  readonly folder: string;
  /** `.env` in the folder, if it is there, when absent. */
  readonly files: ReadonlyArray<{ readonly file: string; readonly at: YamlPlace }> | undefined;
  /** Is stronger than the files. */
  readonly outer: LookUp;
}

export async function readEnvFiles(reading: ComposeReading, project: ProjectVariables): Promise<LookUp> {
  const usual = path.join(project.folder, '.env');
  const files = project.files ?? (reading.exists(usual) ? [{ file: usual, at: undefined }] : []);
  const variables = new Map<string, string>();
  const lookUp: LookUp = (name) => project.outer(name) ?? variables.get(name);
  for (const { file, at } of files) {
    const text = await reading.readText(file, 'env file', at);
    for (const [name, value] of parsed(reading, file, text, lookUp, 'usual')) variables.set(name, value);
  }
  return lookUp;
}

/** The variables of a service: those of its env files, then its own, which are stronger. */
export async function serviceVariables(
  reading: ComposeReading,
  service: MapNode,
  lookUp: LookUp,
): Promise<Readonly<Record<string, string>>> {
  const variables = new Map<string, string>();
  for (const item of itemsOf(fieldOf(service, 'env_file'))) await addFile(reading, item, lookUp, variables);
  const environment = fieldOf(service, 'environment');
  if (environment && !isNull(environment) && environment.kind !== 'map')
    reading.report.problem(wrongValue(environment, 'environment', 'a map, or a list of NAME=value'));
  for (const [name, { node }] of environment?.kind === 'map' ? environment.entries : []) {
    const value = isNull(node) ? lookUp(name) : textOf(node);
    if (value !== undefined) variables.set(name, value);
    else {
      variables.delete(name);
      if (node.kind !== 'scalar')
        reading.report.problem(wrongValue(node, name, 'a text, a number, true or false'));
    }
  }
  return Object.fromEntries(variables);
}

async function addFile(
  reading: ComposeReading,
  item: YamlNode,
  lookUp: LookUp,
  variables: Map<string, string>,
): Promise<void> {
  const entry = checkedMap(item, '`env_file`', envFileKeys, reading.report);
  const file = textOf(fieldOf(entry, 'path'));
  if (entry === undefined || file === undefined) return;
  const format = textOf(fieldOf(entry, 'format')) ?? 'usual';
  const isOptional = textOf(fieldOf(entry, 'required')) === 'false';
  if (isOptional && !reading.exists(file)) return;
  if (format !== 'usual' && format !== 'raw')
    reading.report.problem(
      wrongValue(fieldOf(entry, 'format') as YamlNode, 'format', 'raw, or nothing', 'remove it'),
    );
  const text = await reading.readText(file, 'env file', entry.at);
  const known: LookUp = (name) => lookUp(name) ?? variables.get(name);
  for (const [name, value] of parsed(reading, file, text, known, format === 'raw' ? 'raw' : 'usual'))
    variables.set(name, value);
}

function parsed(
  reading: ComposeReading,
  file: string,
  text: string,
  lookUp: LookUp,
  format: 'usual' | 'raw',
): ReadonlyMap<string, string> {
  const { variables, faults } = format === 'raw' ? parseRawEnv(text, lookUp) : parseDotenv(text, lookUp);
  for (const { offset, length, what, next } of faults)
    reading.report.problem(
      new Problem({
        code: 'config.bad-value',
        where: positionAt(file, text, offset, Math.min(length, firstLineLength(text, offset))),
        what,
        allowed: 'lines NAME=value; empty lines; comments after #',
        next,
      }),
    );
  return variables;
}

function firstLineLength(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return Math.max(1, (end < 0 ? text.length : end) - offset);
}
