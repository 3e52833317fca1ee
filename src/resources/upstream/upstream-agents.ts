/** Connections to the real ones behind us, kept open between calls. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

export interface UpstreamAgents {
  readonly http: HttpAgent;
  readonly https: HttpAgent;
  close(): void;
}

export function openAgents(): UpstreamAgents {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  return {
    http,
    https,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}
