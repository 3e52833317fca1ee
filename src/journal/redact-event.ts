/** An event as it may be written down: no secret, and of headers that let somebody in nothing but tokens. */
import { maskedHeaders } from '../kernel/masked-headers.ts';
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

function shown<Part extends Message>(message: Part): Part {
  let headers: Record<string, string> | undefined;
  for (const name of maskedHeaders) {
    const value = message.headers[name];
    if (value === undefined) continue;
    headers ??= { ...message.headers };
    const [, scheme = '', rest = value] = /^([A-Za-z]+ )(.+)$/.exec(value) ?? [];
    headers[name] =
      scheme +
      rest
        .split(/(‹secret:[^›:][^›]*›)/)
        .map((part, index) => (index % 2 === 1 || part === '' ? part : '…'))
        .join('');
  }
  return headers ? { ...message, headers } : message;
}
