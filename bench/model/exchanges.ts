/** What is asked and said in the bench: the same for every provider. */

const tool = (name: string): object => ({
  type: 'function',
  function: {
    name,
    description: `Does what ${name} says, with a path and options, and gives back a text.`,
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, options: { type: 'array', items: { type: 'string' } } },
      required: ['path'],
    },
  },
});

const system = 'You are an agent with a few tools. Look before you answer, and say what you found. '.repeat(
  6,
);

/** About 2 KB, as an agent sends it. */
export function request(what: Question, stream: boolean): string {
  return JSON.stringify({
    model: 'gpt-4o',
    stream,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: what },
    ],
    tools: ['read_file', 'list_files', 'search_notes'].map(tool),
  });
}

export const questions = {
  short: 'a short answer',
  long: 'a long answer',
  paced: 'a paced answer',
  slow: 'a slow answer',
} as const;

export type Question = (typeof questions)[keyof typeof questions];

export const pieceChars = 8;

/** Pieces of a long answer; each becomes an event. */
export const longPieces = 400;

export const shortAnswer = 'There are three notes about it; the newest is of today.';
export const longAnswer = 'a piece '.repeat(longPieces);

/** The least that can be waited between two events: each is written by itself then, whatever a server gathers otherwise. */
export const leastMs = 1;

/** Waited between two events of a slow answer. */
export const slowMs = 100;
