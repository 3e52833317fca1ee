/** An event as it may be written down: no secret, and of headers that let somebody in nothing but tokens. */
import { redactValues } from './redact-values.ts';
import type { Redactor } from './redaction.ts';

export function redactEvent<Event extends { readonly type: string }>(
  event: Event,
  redactor: Redactor,
): Event {
  const clean = redactValues(event, redactor);
  if (clean.type !== 'call') return clean;
  const { request, response } = clean as { readonly request?: Message; readonly response?: Message };
  return {
    ...clean,
    ...(request ? { request: shown(request) } : {}),
    ...(response ? { response: shown(response) } : {}),
  };
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
}

const letIn = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'x-auth-token',
];

function shown<Part extends Message>(message: Part): Part {
  let headers: Record<string, string> | undefined;
  for (const name of letIn) {
    const value = message.headers[name];
    if (value === undefined) continue;
    headers ??= { ...message.headers };
    const [, scheme = '', rest = value] = /^([A-Za-z]+ )(.+)$/.exec(value) ?? [];
    headers[name] =
      scheme +
      rest
        .split(/(‹secret:[^›]*›)/)
        .map((part, index) => (index % 2 === 1 || part === '' ? part : '…'))
        .join('');
  }
  return headers ? { ...message, headers } : message;
}
