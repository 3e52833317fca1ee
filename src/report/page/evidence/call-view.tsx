/** A call with its request and its answer. */
import type { CallEvent, CallMessage } from '../../../journal/call-event.ts';
import { counted } from '../../../kernel/counted.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { callOutcome } from '../../terminal/call-outcome.ts';
import { listIn } from '../plain-text.ts';
import { JsonView, type Marks } from './json-view.tsx';
import { Section } from './section.tsx';
import { Body, Text } from './text.tsx';
import { TurnView } from './turn-view.tsx';

export function CallView({ call }: { readonly call: CallEvent }) {
  return call.statement === undefined ? <Exchange call={call} /> : <Statement call={call} />;
}

function Exchange({ call }: { readonly call: CallEvent }) {
  const { response, turn } = call;
  const faults = listIn(call.faults);
  // A request is long, and what failed is in the answer.
  const isAnswerFirst = response !== undefined && callOutcome(call, 60).failed;
  return (
    <>
      {faults.length > 0 && (
        <Section title="Rules that were broken">
          <ul class="breaches">
            {faults.map(({ by, rule, what }) => (
              <li key={rule + what}>
                <b>{by === 'provider' ? call.to : call.from}</b> broke <code>{rule}</code>:{' '}
                <Text text={what} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {!isAnswerFirst && <Request call={call} />}
      {response === undefined ? (
        <p class="missing">no answer{call.incomplete === undefined ? '' : `: ${call.incomplete}`}</p>
      ) : (
        <Section title={`Answer: ${response.status}`} note={bytesOf(response)}>
          {turn && <TurnView turn={turn} />}
          <MessageBody message={response} />
          <Headers headers={response.headers} />
        </Section>
      )}
      {isAnswerFirst && <Request call={call} />}
    </>
  );
}

function Request({ call: { method, path, request } }: { readonly call: CallEvent }) {
  return (
    <Section title={`Request: ${method} ${path}`} note={bytesOf(request)}>
      <MessageBody message={request} />
      <Headers headers={request.headers} />
    </Section>
  );
}

function Statement({ call }: { readonly call: CallEvent }) {
  const { statement = '', params, result, error, path } = call;
  const rows = isMap(result) && Array.isArray(result.rows) ? result.rows : undefined;
  return (
    <>
      <Section title={`Statement on ${path}`}>
        <Body text={statement} />
        {params !== undefined && <JsonView name="parameters" value={params} />}
      </Section>
      <Section title={error === undefined || error === null ? 'Result' : 'Error'}>
        {error !== undefined && error !== null && <JsonView value={error} />}
        {rows?.every(isMap) && rows.length > 0 ? <Rows rows={rows} /> : <JsonView value={result ?? null} />}
      </Section>
    </>
  );
}

const mostRows = 50;

/** Rows as a table, with the columns of all of them. */
export function Rows({
  rows,
  marks,
}: {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly marks?: Marks | undefined;
}) {
  const expected = (path: string): string | undefined => marks?.get(path);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <section class="wide" tabIndex={0} aria-label="Rows">
      {expected('$') === undefined ? null : (
        <p>
          <span class="expected">expected {expected('$')}</span>
        </p>
      )}
      <table class="rows">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map((row, index) => (
            <tr
              key={index}
              class={expected(`$[${index}]`) === undefined ? '' : 'marked'}
              title={expected(`$[${index}]`)}
            >
              {columns.map((column) => (
                <td
                  key={column}
                  class={expected(`$[${index}].${column}`) === undefined ? '' : 'marked'}
                  title={expected(`$[${index}].${column}`)}
                >
                  {isCell(row[column]) ? (
                    <Cell value={row[column]} />
                  ) : (
                    <JsonView value={row[column]} depth={3} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostRows && <p class="dim">and {rows.length - mostRows} more rows</p>}
    </section>
  );
}

function isCell(value: unknown): boolean {
  return value === undefined || value === null || typeof value !== 'object';
}

function Cell({ value }: { readonly value: unknown }) {
  return value === undefined || value === null ? (
    <span class="null">{String(value ?? 'null')}</span>
  ) : (
    <Text text={String(value)} />
  );
}

function MessageBody({ message }: { readonly message: CallMessage }) {
  const { json, text, events, rawBody, truncated, unfinished } = message;
  return (
    <>
      {json !== undefined && <JsonView value={json} />}
      {text !== undefined && <Body text={text} />}
      {events && !Array.isArray(events) && <Text text={events} />}
      {listIn(events).length > 0 && (
        <details>
          <summary>{counted(listIn(events).length, 'event')} of the stream</summary>
          <ol class="events">
            {listIn(events).map(({ event, id, data, at }, index) => (
              <li key={index}>
                <span class="dim">
                  {at === undefined ? '' : `${at.toFixed(0)} ms `}
                  {event ?? ''} {id ?? ''}
                </span>
                <JsonView value={data} depth={2} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {rawBody !== undefined && (
        <details>
          <summary>as it was sent</summary>
          <Body text={rawBody} />
        </details>
      )}
      {truncated && <p class="dim">only the beginning was kept</p>}
      {unfinished && <p class="missing">its end did not pass</p>}
    </>
  );
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> | undefined }) {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>{counted(entries.length, 'header')}</summary>
      <dl class="headers">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Text text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function bytesOf({ bytes }: CallMessage): string {
  return bytes > 0 ? `${bytes.toLocaleString('en')} bytes` : '';
}
