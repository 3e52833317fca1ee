/** A project with ten small servers, each of which knows the next by its address, so that there are ten taps as well. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const names = Array.from({ length: 10 }, (_, index) => `service-${index + 1}`);

const program = `import { createServer } from 'node:http';
createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit());
`;

export async function writeTenServices(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'server.mjs'), program);
  await writeFile(join(folder, 'shakedown.yaml'), `name: ten\nservices:\n${names.map(serviceOf).join('')}`);
}

function serviceOf(name: string, index: number): string {
  const next = names[index + 1];
  const env = next === undefined ? '' : `\n    env: { NEXT: "\${${next}.url}" }`;
  return `  ${name}:
    run: [node, server.mjs]
    listen: { env: PORT }
    ready: { http: / }${env}
`;
}
