/** Server-sent events as their wire text. Pure. */
import type { CallMessage } from '../../journal/call-event.ts';

export function eventText(events: NonNullable<CallMessage['events']>): string {
  return events
    .map(({ event, id, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      return [
        ...(event === undefined ? [] : [`event: ${event}`]),
        ...(id === undefined ? [] : [`id: ${id}`]),
        ...text.split('\n').map((line) => `data: ${line}`),
        '\n',
      ].join('\n');
    })
    .join('');
}
