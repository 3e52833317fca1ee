/** A butler's manifest, `roster/<folder>/butler.toml`, read and checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, type TomlTable, type TomlValue } from 'smol-toml';

export interface Manifest {
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly transport: Transport;
  readonly modules: readonly string[];
  readonly tools: readonly ToolManifest[];
  readonly examples: readonly ExampleManifest[];
}

const transports = ['streamable-http', 'sse'] as const;
export type Transport = (typeof transports)[number];

/** A tool that writes a row into a table, or reads the newest rows of one. */
export interface ToolManifest {
  readonly name: string;
  readonly description: string;
  readonly action: 'write' | 'read';
  readonly table: string;
  readonly fields: Readonly<Record<string, FieldManifest>>;
}

/** What a user may say to the butler, the call that it leads to, and the row that the call leaves: for tests. */
interface ExampleManifest {
  readonly says: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

const fieldTypes = ['text', 'integer', 'number', 'boolean', 'date'] as const;

export interface FieldManifest {
  readonly type: (typeof fieldTypes)[number];
  readonly description?: string;
  readonly optional: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly oneOf?: readonly string[];
}

/** Every folder with a manifest is a butler. */
export function readRoster(roster: string): Manifest[] {
  const folders = readdirSync(roster).sort();
  return folders
    .map((name) => join(roster, name))
    .filter((folder) => existsSync(join(folder, 'butler.toml')))
    .map(readManifest);
}

export function readManifest(folder: string): Manifest {
  const file = join(folder, 'butler.toml');
  try {
    return toManifest(folder, parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${relative(process.cwd(), file)}: ${error instanceof Error ? error.message : error}`);
  }
}

function toManifest(folder: string, document: TomlTable): Manifest {
  const butler = table(document.butler, '[butler]');
  const tools = tables(document.tool, 'tool').map(toTool);
  return {
    folder,
    name: identifier(butler.name, '[butler] name'),
    description: text(butler.description, '[butler] description'),
    transport: oneOf(transports, butler.transport ?? 'streamable-http', '[butler] transport'),
    modules: texts(butler.modules ?? [], '[butler] modules'),
    tools,
    examples: tables(document.example, 'example').map((example) => toExample(example, tools)),
  };
}

function toTool(tool: TomlTable): ToolManifest {
  const name = identifier(tool.name, '[[tool]] name');
  if ((tool.writes === undefined) === (tool.reads === undefined)) {
    throw new Error(`tool ${name} needs one of writes and reads`);
  }
  const fields = Object.entries(table(tool.fields ?? {}, `fields of ${name}`));
  return {
    name,
    description: text(tool.description, `description of ${name}`),
    action: tool.writes === undefined ? 'read' : 'write',
    table: identifier(tool.writes ?? tool.reads, `table of ${name}`),
    fields: Object.fromEntries(
      fields.map(([key, field]) => [identifier(key, `field of ${name}`), toField(field, `${name}.${key}`)]),
    ),
  };
}

function toExample(example: TomlTable, tools: readonly ToolManifest[]): ExampleManifest {
  const name = text(example.tool, '[[example]] tool');
  const tool = tools.find((one) => one.name === name);
  if (tool?.action !== 'write') throw new Error(`[[example]] tool is ${name}: it must be a tool that writes`);
  if (example.table !== tool.table) throw new Error(`table of the example of ${name} must be ${tool.table}`);
  return {
    says: text(example.says, `says of the example of ${name}`),
    tool: name,
    args: table(example.args, `args of the example of ${name}`),
    table: tool.table,
    row: table(example.row, `row of the example of ${name}`),
  };
}

function toField(value: TomlValue, where: string): FieldManifest {
  const field = table(value, where);
  return {
    type: oneOf(fieldTypes, field.type, `type of ${where}`),
    optional: field.optional === true,
    ...(field.description === undefined ? {} : { description: text(field.description, where) }),
    ...(typeof field.min === 'number' ? { min: field.min } : {}),
    ...(typeof field.max === 'number' ? { max: field.max } : {}),
    ...(field.one_of === undefined ? {} : { oneOf: texts(field.one_of, `one_of of ${where}`) }),
  };
}

function table(value: TomlValue | undefined, where: string): TomlTable {
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)) return value;
  throw new Error(`${where} must be a table`);
}

function tables(value: TomlValue | undefined, key: string): TomlTable[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${key} must be a list: write [[${key}]]`);
  return value.map((item, index) => table(item, `[[${key}]] ${index + 1}`));
}

function text(value: TomlValue | undefined, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`${where} must be a text`);
}

function texts(value: TomlValue, where: string): string[] {
  if (Array.isArray(value)) return value.map((item) => text(item, where));
  throw new Error(`${where} must be a list of texts`);
}

/** Names become SQL identifiers and tool names, so they are kept plain. */
function identifier(value: TomlValue | undefined, where: string): string {
  const name = text(value, where);
  if (/^[a-z][a-z0-9_]{0,40}$/.test(name)) return name;
  throw new Error(`${where} is "${name}": use small letters, digits and _`);
}

function oneOf<T extends string>(allowed: readonly T[], value: TomlValue | undefined, where: string): T {
  const found = allowed.find((item) => item === value);
  if (found !== undefined) return found;
  throw new Error(`${where} is ${JSON.stringify(value)}: it must be one of ${allowed.join(', ')}`);
}
