/** Starts one butler: `node src/butler.ts <folder>`, where the folder holds its manifest. */
import { resolve } from 'node:path';
import { openModules } from './butler/modules.ts';
import { databaseAnswers, openDatabase } from './daemon/database.ts';
import { sendJson, serve, start } from './daemon/serve.ts';
import { readOwnAddress, readSettings } from './daemon/settings.ts';
import { openTracer } from './daemon/spans.ts';
import { hasDefect } from './defects.ts';
import { readManifest } from './manifest.ts';
import { mcpRoutes } from './mcp/endpoint.ts';

await start(async () => {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('which butler? node src/butler.ts roster/health');
  const manifest = readManifest(resolve(folder));
  const { port, databaseUrl, model, traces } = readSettings(process.env);
  const tracer = openTracer(manifest.name, traces);
  const own = { url: readOwnAddress(process.env, manifest.name), transport: manifest.transport };
  const modules = openModules(manifest.modules, process.env);
  const pool = await openDatabase(databaseUrl, 'sessions');

  const isOff = ({ access }: (typeof modules)[number]) => access === undefined && !hasDefect('health-lies');
  const degraded = modules.some(isOff);
  const states = modules.map((module) => [
    module.name,
    isOff(module) ? { status: 'off', because: module.because } : { status: 'on' },
  ]);

  await serve({
    name: manifest.name,
    port,
    routes: {
      '/health': async (_request, response) => {
        const up = await databaseAnswers(pool);
        sendJson(response, up ? 200 : 503, {
          status: up ? (degraded ? 'degraded' : 'ok') : 'down',
          transport: manifest.transport,
          database: up ? 'ok' : 'does not answer',
          modules: Object.fromEntries(states),
        });
      },
      ...mcpRoutes(manifest.transport, async () => {
        const { butlerServers } = await import('./butler/server.ts');
        return butlerServers({ manifest, model, pool, tracer, modules, own });
      }),
    },
    stop: () => pool.end(),
  });
});
