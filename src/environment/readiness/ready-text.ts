/** What a service is waited for, in words. Pure. */
import { defined } from '../../kernel/defined.ts';
import type { ListenSpec, ReadySpec } from '../../system/system.ts';

export interface ReadyWords {
  readonly ready: ReadySpec;
  readonly listen: readonly ListenSpec[];
  /** Of each listener, as far as they are known. */
  readonly addresses: ReadonlyMap<string, { readonly port: number }>;
}

export function readyText({ ready, ...service }: ReadyWords): string {
  const text = conditionText(ready, service);
  return ready.inARow > 1 ? `${text}, ${ready.inARow} times in a row` : text;
}

function conditionText(ready: ReadySpec, service: Omit<ReadyWords, 'ready'>): string {
  const join = (parts: readonly ReadySpec[], word: string): string =>
    parts.map((part) => readyText({ ...service, ready: part })).join(` ${word} `);
  switch (ready.probe) {
    case 'http': {
      const { status = '200–299', json, body, firstBytes } = ready;
      const more = defined({ status, json, body, firstBytes });
      return `GET ${ready.path} on ${portText(ready.listener, service)} is answered with ${entries(more)}`;
    }
    case 'tcp': {
      const { send, firstBytes } = ready;
      const more = entries(defined({ send, firstBytes }));
      return `${portText(ready.listener, service)} accepts connections${more && ` (${more})`}`;
    }
    case 'handshake':
      return `${portText(ready.listener, service)} answers in ${ready.codec} with ${JSON.stringify(ready.expect)}`;
    case 'command':
      return `\`${ready.run.join(' ')}\` ends with 0`;
    case 'log':
      return `a line of its log matches /${ready.pattern}/`;
    case 'health': {
      const { otherwise } = ready;
      const without = otherwise ? `; where it has none: ${readyText({ ...service, ready: otherwise })}` : '';
      return `its healthcheck succeeds${without}`;
    }
    case 'started':
      return 'it runs';
    case 'all':
      return join(ready.of, 'and');
    case 'any':
      return join(ready.of, 'or');
  }
}

function portText(listener: string | undefined, { listen, addresses }: Omit<ReadyWords, 'ready'>): string {
  const spec = listener === undefined ? listen[0] : listen.find(({ name }) => name === listener);
  const fixed = spec?.how.by === 'fixed' ? spec.how.port : undefined;
  const port = addresses.get(spec?.name ?? '')?.port ?? fixed;
  return port === undefined ? 'its port' : `port ${port}`;
}

function entries(more: Readonly<Record<string, unknown>>): string {
  return Object.entries(more)
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
