/** Named defects, of the kinds that bite. `DEFECT=<name>` replaces one part of the daemon by one that is broken. */
import type { Parts } from './parts.ts';
import type { Session } from './sessions/session.ts';
import { createSkills } from './skills.ts';

interface Defect {
  /** One line: what goes wrong. */
  readonly what: string;
  breakPart(parts: Parts): Partial<Parts>;
}

export const defects: Readonly<Record<string, Defect>> = {
  'crash-on-junk': {
    what: 'a bad frame ends the whole daemon',
    breakPart: () => ({
      refuseFrame: (_session, fault) => {
        throw fault;
      },
    }),
  },
  'length-in-bytes': {
    what: 'the length of a frame counts bytes, not characters',
    breakPart: () => ({
      measure: {
        count: (text) => Buffer.byteLength(text),
        characterEnd: (bytes, at) => (at < bytes.length ? at + 1 : undefined),
      },
    }),
  },
  'reply-to-wrong-session': {
    what: 'an answer goes to another session, where there is one',
    breakPart: () => ({ recipient: (asker, sessions) => otherThan(asker, sessions) ?? asker }),
  },
  'error-swallowed': {
    what: 'a shell command that fails is answered as a success',
    breakPart: ({ shell }) => ({
      shell: { ...shell, run: async (command) => ({ ...(await shell.run(command)), exit: 0 }) },
    }),
  },
  'health-lies': {
    what: 'the health check says ok, whatever is the matter',
    breakPart: ({ health }) => ({ health: (parts) => ({ ...health(parts), status: 'ok' }) }),
  },
  'socket-leak': {
    what: 'connections are never closed on this side, neither after a bad frame nor after the end of the other side',
    breakPart: () => ({ hangUp: () => {} }),
  },
  'dangerous-quoted': {
    what: 'dangerous commands are known by their usual spelling only, so odd quotes and spaces get through',
    breakPart: ({ shell }) => ({ shell: { ...shell, judge: judgeBySpelling } }),
  },
  'executes-then-refuses': {
    what: 'a dangerous command is answered as refused, and was run',
    breakPart: ({ shell }) => ({
      shell: {
        ...shell,
        judge: (command) => {
          const judgement = shell.judge(command);
          if (!judgement.allowed) void shell.run(command);
          return judgement;
        },
      },
    }),
  },
  'late-write': {
    what: 'the line in events.jsonl is written 400 ms after the answer',
    breakPart: ({ events }) => ({
      events: Object.create(events, {
        write: {
          value: (event: Readonly<Record<string, unknown>>) => setTimeout(() => events.write(event), 400),
        },
      }) as Parts['events'],
    }),
  },
  'heartbeat-ignored': {
    what: 'heartbeats are taken and neither counted nor written down',
    breakPart: () => ({ heart: { beat: () => {}, beats: 0 } }),
  },
  'duplicate-processed': {
    what: 'what has the same id is acted on again',
    breakPart: () => ({ once: { run: async (_id, work) => ({ answer: await work(), duplicate: false }) } }),
  },
  'cli-input-dropped': {
    what: 'text that comes through the CLI gateway is dropped without a word',
    breakPart: ({ take }) => ({
      take: async (stimulus, parts) => (stimulus.source === 'cli' ? undefined : take(stimulus, parts)),
    }),
  },
  'cascade-no-timeout': {
    what: 'a provider may take as long as it likes, so the next one is never asked',
    breakPart: ({ providers }) => ({
      providers: providers.map((provider) => ({ ...provider, timeoutMs: Number.POSITIVE_INFINITY })),
    }),
  },
  'degraded-unmarked': {
    what: 'an answer without any provider looks like a good one',
    breakPart: ({ degrade }) => ({ degrade: (text) => ({ ...degrade(text), degraded: false }) }),
  },
  'unlink-keeps-gateway': {
    what: 'unlink says that it is done, and the gateway stays linked',
    breakPart: ({ gateways }) => ({ gateways: { ...gateways, unlink: () => {} } }),
  },
  'gateway-forgotten': {
    what: 'linked gateways are gone after a restart',
    breakPart: ({ gateways }) => {
      for (const { name } of gateways.list()) gateways.unlink(name);
      return {};
    },
  },
  'skills-empty': {
    what: 'the skills are not loaded into the registry',
    breakPart: () => ({ skills: createSkills([], []) }),
  },
};

/** The same parts with one of them broken. No name, no defect. */
export function putIn(name: string, parts: Parts): Parts {
  if (name === '') return parts;
  const defect = Object.hasOwn(defects, name) ? defects[name] : undefined;
  if (!defect) throw new Error(`there is no defect ${name}, only ${Object.keys(defects).join(', ')}`);
  return { ...parts, ...defect.breakPart(parts) };
}

function otherThan(asker: Session, sessions: ReadonlyMap<string, Session>): Session | undefined {
  return [...sessions.values()].find((session) => session !== asker && !session.ended);
}

function judgeBySpelling(command: string): ReturnType<Parts['shell']['judge']> {
  const spellings = [/\brm -rf \//, /\bmkfs\./, /^dd if=/, /^curl .* \| sh$/, /:\(\)\{ :\|:& \};:/];
  const isKnown = spellings.some((spelling) => spelling.test(command));
  return isKnown ? { allowed: false, because: 'it is dangerous' } : { allowed: true };
}
