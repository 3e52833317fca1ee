/** The toolbox as a service: at `PORT`, over streamable HTTP, or over HTTP+SSE where `TRANSPORT` says so; picky about hosts on request. */
import { serveSse, serveStateful } from './serve-toolbox.ts';

const port = Number(process.env.PORT);
const picky = { enableDnsRebindingProtection: true, allowedHosts: [`127.0.0.1:${port}`] };
if (process.env.TRANSPORT === 'sse') await serveSse(port);
else await serveStateful(process.env.PICKY === undefined ? {} : picky, port);
