/** An event as it may be written: no secret, nothing but tokens in headers with credentials, and no password of a store. */
import { defined } from '../kernel/defined.ts';
import { maskedHeaders } from '../kernel/masked-headers.ts';
import { redactValues } from './redact-values.ts';
import type { Redactor } from './redaction.ts';
import { type StoreParts, withoutStoreCredentials } from './store-credentials.ts';

export function redactEvent<Event extends { readonly type: string }>(
  event: Event,
  redactor: Redactor,
): Event {
  const clean = redactValues(event, redactor);
  if (clean.type !== 'call') return clean;
  const { request, response } = clean as { readonly request?: Message; readonly response?: Message };
  return {
    ...withoutStoreCredentials(clean as Event & StoreParts),
    ...defined({
      request: request && shown(request, redactor),
      response: response && shown(response, redactor),
    }),
  };
}

type Fields = Readonly<Record<string, string>>;

interface Message {
  readonly headers: Fields;
  readonly trailers?: Fields;
  readonly credentials?: Fields;
}

function shown<Part extends Message>(message: Part, { markOf }: Redactor): Part {
  const { headers, trailers } = message;
  const kept = masked(headers);
  const hidden = maskedHeaders.filter((name) => kept[name] !== headers[name]);
  const credentials =
    markOf === undefined || hidden.length === 0
      ? message.credentials
      : Object.fromEntries(hidden.map((name) => [name, markOf(headers[name] ?? '')]));
  return { ...message, headers: kept, ...defined({ trailers: trailers && masked(trailers), credentials }) };
}

function masked(fields: Fields): Fields {
  let shownFields: Record<string, string> | undefined;
  for (const name of maskedHeaders) {
    const value = fields[name];
    if (value === undefined) continue;
    shownFields ??= { ...fields };
    const [, scheme = '', rest = value] = /^([A-Za-z]+ )(.+)$/.exec(value) ?? [];
    shownFields[name] =
      scheme +
      rest
        .split(/(‹secret:[^›:][^›]*›)/)
        .map((part, index) => (index % 2 === 1 || part === '' ? part : '…'))
        .join('');
  }
  return shownFields ?? fields;
}
