/** What the client and the server of HTTP say to each other: a small request, and streams as a model sends them. */

/** Small requests and their answers. */
export const thingPath = '/v1/things/42';
export const thing = JSON.stringify({ id: 42, name: 'thing', note: 'n'.repeat(160) });

/** Posted with how many events are wanted, and how many milliseconds lie between them. */
export const streamPath = '/v1/chat/completions';

export interface WantedStream {
  readonly stream: true;
  readonly events: number;
  readonly everyMs: number;
}

export function printEvent(number: number): string {
  const choice = { index: 0, delta: { content: `word ${number} ` }, finish_reason: null };
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [choice],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

export const lastEvent = 'data: [DONE]\n\n';
