/** Where in the report the reader is, as the fragment of its address: `#trial/check/event`. */

export interface Place {
  /** Absent for the overview. */
  readonly trial?: string;
  readonly check?: string;
  /** The number of an event in the journal of the attempt; negative for one of the attempt that passed. */
  readonly event?: number;
  readonly view?: View;
}

export const views = ['sequence', 'conversation', 'compare'] as const;
export type View = (typeof views)[number];

export function readPlace(fragment: string): Place {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split('?');
  const [trial = '', check = '', event = ''] = path.split('/').map(decode);
  const view = views.find((name) => name === query);
  return {
    ...(trial === '' ? {} : { trial }),
    ...(check === '' ? {} : { check }),
    ...(/^-?\d+$/.test(event) ? { event: Number(event) } : {}),
    ...(view === undefined ? {} : { view }),
  };
}

export function writePlace({ trial = '', check = '', event, view }: Place): string {
  const parts = [trial, check, event === undefined ? '' : String(event)].map(encodeURIComponent);
  while (parts.at(-1) === '') parts.pop();
  return `#${parts.join('/')}${view === undefined || view === 'sequence' ? '' : `?${view}`}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // typed by hand
  }
}
