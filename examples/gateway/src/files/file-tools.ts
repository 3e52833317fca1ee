/** The tools that the file server offers. */
import { type JsonObject, textIn } from '../wire/json.ts';
import { FileRefused, type Folder } from './folder.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  run(folder: Folder, args: JsonObject): Promise<string>;
}

const path = { type: 'string', description: 'Such as notes/today.md' };

export const fileTools: readonly Tool[] = [
  {
    name: 'read_file',
    description: 'Read a file.',
    inputSchema: schema({ path }, ['path']),
    run: async (folder, args) => folder.read(textArgument(args, 'path')),
  },
  {
    name: 'write_file',
    description: 'Write a file; one that is there is replaced.',
    inputSchema: schema({ path, text: { type: 'string' } }, ['path', 'text']),
    async run(folder, args) {
      await folder.write(textArgument(args, 'path'), textArgument(args, 'text'));
      return 'written';
    },
  },
  {
    name: 'list_files',
    description: 'List all files, or those below a path.',
    inputSchema: schema({ path }, []),
    run: async (folder, args) => (await folder.list(textIn(args.path))).join('\n'),
  },
];

function schema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

function textArgument(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new FileRefused(`${name} must be a text`);
  return value;
}
