/** The file server: tools over MCP that read and write in one folder. */
import { fileTools } from './files/file-tools.ts';
import { openFolder } from './files/folder.ts';
import { toolRoutes } from './mcp/tool-server.ts';
import { serve } from './service/serve.ts';
import { required } from './service/settings.ts';

await serve('files', (env, log) => {
  const folder = openFolder(required(env, 'FILES_FOLDER'));
  const call = (name: string, args: Readonly<Record<string, unknown>>): Promise<string> | undefined =>
    fileTools.find((tool) => tool.name === name)?.run(folder, args);
  return toolRoutes({ name: 'files', tools: fileTools, call }, log);
});
