import { join } from 'node:path';
import { flow } from 'shakedown';
import { readRoster } from '../src/manifest.ts';

const rosterFolder = join(import.meta.dirname, '..', 'roster');

// Adding a folder to the roster adds its tools here: the migrations must create what the manifest declares.
flow(
  'every tool that writes fits the table that the migrations create',
  {
    id: 'butlers/every-write-tool',
    covers: ['MIG-001', 'ROS-001', 'TOOL-003'],
    tags: ['roster', 'migrations'],
    isolation: 'shared',
  },
  async ({ mcp, rows, check, trial }) => {
    for (const { name: butler, tools, examples } of readRoster(rosterFolder)) {
      for (const tool of tools.filter(({ action }) => action === 'write')) {
        const example = examples.find((one) => one.tool === tool.name);
        const session = `${trial.uid}-${tool.name}`;
        const answer = await mcp(butler).call(tool.name, { ...example?.args, session });
        const id = `${butler}-${tool.name.replaceAll('_', '-')}`;
        check(`${id}-done`, answer, { isError: false });
        check(`${id}-row`, await rows(`${butler}.${tool.table}`, { session }), [example?.row ?? {}]);
      }
    }
  },
);
