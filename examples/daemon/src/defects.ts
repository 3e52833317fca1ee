/** Named, realistic defects. `DEFECT=<name>` replaces one part of the daemon by one that is broken. */
import { log } from './log.ts';
import type { Parts } from './parts.ts';
import { askProviders } from './providers/ask-providers.ts';
import { readAnswer } from './providers/read-answer.ts';
import type { Session } from './sessions/session.ts';
import { createSkills } from './skills.ts';

interface Defect {
  /** One line: what goes wrong. */
  readonly what: string;
  /** The service to blame. */
  readonly blame: 'daemon';
  breakPart(parts: Parts): Partial<Parts>;
}

export const defects: Readonly<Record<string, Defect>> = {
  'crash-on-junk': {
    what: 'a bad frame ends the whole daemon',
    blame: 'daemon',
    breakPart: () => ({
      refuseFrame: (_session, fault) => {
        throw fault;
      },
    }),
  },
  'length-in-bytes': {
    what: 'the length of a frame counts bytes, not characters',
    blame: 'daemon',
    breakPart: () => ({
      measure: {
        count: (text) => Buffer.byteLength(text),
        characterEnd: (bytes, at) => (at < bytes.length ? at + 1 : undefined),
      },
    }),
  },
  'reply-to-wrong-session': {
    what: 'an answer goes to another session, where there is one',
    blame: 'daemon',
    breakPart: () => ({ recipient: (asker, sessions) => otherThan(asker, sessions) ?? asker }),
  },
  'error-swallowed': {
    what: 'a shell command that fails is answered as a success',
    blame: 'daemon',
    breakPart: ({ shell }) => ({
      shell: { ...shell, run: async (command) => ({ ...(await shell.run(command)), exit: 0 }) },
    }),
  },
  'health-lies': {
    what: 'the health check always says ok',
    blame: 'daemon',
    breakPart: ({ health }) => ({ health: (parts) => ({ ...health(parts), status: 'ok' }) }),
  },
  'socket-leak': {
    what: 'connections are never closed on this side, neither after a bad frame nor after the other side has closed',
    blame: 'daemon',
    breakPart: () => ({ hangUp: () => {} }),
  },
  'dangerous-quoted': {
    what: 'dangerous commands are known by their usual spelling only, so odd quotes and spaces get through',
    blame: 'daemon',
    breakPart: ({ shell }) => ({ shell: { ...shell, judge: judgeBySpelling } }),
  },
  'executes-then-refuses': {
    what: 'a dangerous command is answered as refused, and was run',
    blame: 'daemon',
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
    blame: 'daemon',
    breakPart: ({ events }) => ({
      events: Object.create(events, {
        write: {
          value: (event: Readonly<Record<string, unknown>>) => setTimeout(() => events.write(event), 400),
        },
      }) as Parts['events'],
    }),
  },
  'heartbeat-ignored': {
    what: 'heartbeats are accepted and neither counted nor recorded',
    blame: 'daemon',
    breakPart: () => ({ heart: { beat: () => {}, beats: 0 } }),
  },
  'duplicate-processed': {
    what: 'what has the same id is acted on again',
    blame: 'daemon',
    breakPart: () => ({ once: { run: async (_id, work) => ({ answer: await work(), duplicate: false }) } }),
  },
  'cli-input-dropped': {
    what: 'text that comes through the CLI gateway is silently dropped',
    blame: 'daemon',
    breakPart: ({ take }) => ({
      take: async (stimulus, parts) => (stimulus.source === 'cli' ? undefined : take(stimulus, parts)),
    }),
  },
  'cascade-no-timeout': {
    what: 'a provider has no time limit, so the next one is never asked',
    blame: 'daemon',
    breakPart: ({ providers }) => ({
      providers: providers.map((provider) => ({ ...provider, timeoutMs: Number.POSITIVE_INFINITY })),
    }),
  },
  'degraded-unmarked': {
    what: 'an answer without any provider looks like a good one',
    blame: 'daemon',
    breakPart: ({ degrade }) => ({ degrade: (text) => ({ ...degrade(text), degraded: false }) }),
  },
  'unlink-keeps-gateway': {
    what: 'unlink says that it is done, and the gateway stays linked',
    blame: 'daemon',
    breakPart: ({ gateways }) => ({ gateways: { ...gateways, unlink: (name) => ({ name, linkedAt: '' }) } }),
  },
  'gateway-forgotten': {
    what: 'linked gateways are gone after a restart',
    blame: 'daemon',
    breakPart: ({ gateways }) => {
      for (const { name } of gateways.list()) gateways.unlink(name);
      return {};
    },
  },
  'skills-empty': {
    what: 'the skills are not loaded into the registry',
    blame: 'daemon',
    breakPart: () => ({ skills: createSkills([], []) }),
  },
  'shell-not-run': {
    what: 'a command is answered as done, with the output that it would have had, and was never run',
    blame: 'daemon',
    breakPart: ({ shell }) => ({
      shell: {
        ...shell,
        run: async (command) =>
          /^echo [\w ]+$/.test(command)
            ? { exit: 0, stdout: `${command.slice(5)}\n`, stderr: '', timedOut: false, truncated: false }
            : shell.run(command),
      },
    }),
  },
  'asks-both-providers': {
    what: 'all providers are asked at once, which is paid for twice',
    blame: 'daemon',
    breakPart: ({ providers }) => ({
      think: async (question, parts) => {
        const alone = providers.map((provider) =>
          askProviders(question, { ...parts, providers: [provider] }),
        );
        return (await Promise.all(alone)).find((thought) => thought !== undefined);
      },
    }),
  },
  'retries-permanent-errors': {
    what: 'a permanent refusal is retried',
    blame: 'daemon',
    breakPart: () => ({ mayPass: () => true }),
  },
  'never-asks-the-next': {
    what: 'when the first provider fails, the next one is not asked',
    blame: 'daemon',
    breakPart: ({ providers }) => ({ providers: providers.slice(0, 1) }),
  },
  'cut-answer-is-success': {
    what: 'half of a stream that was cut off is taken for the answer',
    blame: 'daemon',
    breakPart: () => ({
      readAnswer: (body, type, cut) => readAnswer(body, type, cut, { cutIsEnd: true }),
    }),
  },
  'page-is-an-answer': {
    what: 'a page of HTML is the answer itself',
    blame: 'daemon',
    breakPart: () => ({
      readAnswer: (body, type, cut) =>
        type.startsWith('text/html') ? { text: body, tokens: null } : readAnswer(body, type, cut),
    }),
  },
  'split-character': {
    what: 'a character whose bytes come in two pieces is garbled',
    blame: 'daemon',
    breakPart: () => ({ decode: (pieces) => pieces.map((piece) => piece.toString()).join('') }),
  },
  'usage-lost': {
    what: 'the cost of an answer is not recorded',
    blame: 'daemon',
    breakPart: ({ think }) => ({
      think: async (question, parts) => {
        const thought = await think(question, parts);
        return thought && { ...thought, tokens: null };
      },
    }),
  },
  'key-sent-to-wrong-provider': {
    what: 'every provider is sent the key of the first',
    blame: 'daemon',
    breakPart: ({ providers }) => ({
      providers: providers.map((provider) => ({ ...provider, key: providers[0]?.key ?? '' })),
    }),
  },
  'link-assumed': {
    what: 'a gateway is linked although the messenger did not confirm it',
    blame: 'daemon',
    breakPart: ({ messenger }) => ({
      messenger: messenger && {
        ...messenger,
        register: (url, secret) => messenger.register(url, secret).catch(() => 'wh-assumed'),
      },
    }),
  },
  'unlink-not-told': {
    what: 'a gateway is unlinked only here, and the messenger goes on delivering',
    blame: 'daemon',
    breakPart: ({ messenger }) => ({ messenger: messenger && { ...messenger, remove: async () => {} } }),
  },
  'unlink-claimed': {
    what: 'unlink says that the messenger was notified, also when it was down',
    blame: 'daemon',
    breakPart: ({ messenger }) => ({
      messenger: messenger && {
        ...messenger,
        remove: (id) => messenger.remove(id).catch(() => log.info(`nobody is told about ${id}`)),
      },
    }),
  },
  'signature-not-checked': {
    what: 'a delivery is accepted from any sender',
    blame: 'daemon',
    breakPart: () => ({ isSignedBy: () => true }),
  },
  'answer-sent-twice': {
    what: 'each answer goes to the messenger twice',
    blame: 'daemon',
    breakPart: ({ messenger }) => ({
      messenger: messenger && {
        ...messenger,
        async send(message) {
          await messenger.send(message);
          await messenger.send(message);
        },
      },
    }),
  },
  'speaks-after-unlink': {
    what: 'an answer that was under way is sent although its gateway was unlinked',
    blame: 'daemon',
    breakPart: () => ({ maySpeak: async () => true }),
  },
};

/** The same parts with one of them broken. Without a name, no defect. */
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
