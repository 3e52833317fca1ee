/** Starts the switchboard, which receives every message of the household and hands it to the right butlers. */
import { databaseAnswers, openDatabase } from './daemon/database.ts';
import { log } from './daemon/log.ts';
import { sendJson, serve, start } from './daemon/serve.ts';
import { readAddresses, readSettings, rosterFolder } from './daemon/settings.ts';
import { openTracer } from './daemon/spans.ts';
import { readRoster } from './manifest.ts';
import { mcpRoutes } from './mcp/endpoint.ts';
import { readDirectory } from './switchboard/directory.ts';
import type { Dispatcher } from './switchboard/dispatch.ts';
import { openInbox } from './switchboard/inbox.ts';

await start(async () => {
  const { port, databaseUrl, model, traces } = readSettings(process.env);
  const tracer = openTracer('switchboard', traces);
  const directory = readDirectory(readAddresses(process.env), readRoster(rosterFolder));
  const pool = await openDatabase(databaseUrl, 'inbox');
  const inbox = openInbox(pool);

  let loaded: Promise<Dispatcher> | undefined;
  const loadDispatcher = () => {
    loaded ??= import('./switchboard/dispatch.ts').then(({ createDispatcher }) =>
      createDispatcher({ directory, model, inbox, tracer }),
    );
    return loaded;
  };

  const unfinished = await inbox.withStatus('received');
  await serve({
    name: 'switchboard',
    port,
    routes: {
      '/health': async (_request, response) => {
        const up = await databaseAnswers(pool);
        sendJson(response, up ? 200 : 503, {
          status: up ? 'ok' : 'down',
          database: up ? 'ok' : 'does not answer',
          butlers: directory.map(({ name }) => name),
        });
      },
      ...mcpRoutes('streamable-http', async () => {
        const { switchboardServers } = await import('./switchboard/server.ts');
        return switchboardServers(inbox, await loadDispatcher());
      }),
    },
    stop: () => pool.end(),
  });

  // Accepted before a crash or a restart, and not processed: nothing that was accepted is lost.
  for (const message of unfinished) {
    log.info(`session ${message.session} is taken up again`);
    void loadDispatcher().then((dispatcher) => dispatcher.dispatch(message));
  }
});
