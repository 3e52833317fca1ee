/** The form of each kind of event, as it is checked when a journal is read. */
import type { AttemptEventBody } from './trial-event.ts';

/** Fields by name: a text, number, truth value, list or map; `?` may be absent, `~` may be null. */
const forms: Readonly<Record<AttemptEventBody['type'], string>> = {
  'attempt.started':
    'uid:text trial:map scope:map topology:map? keeperAt:number? startedAt:text? before:map?',
  'step.started': 'step:text action:text',
  'step.ended': 'step:text outcome:text because:text? sentBytes:number waited:map?',
  'check.declared': 'check:map',
  'source.declared': 'source:text fields:map',
  'probe.sampled': 'probe:text from:number to:number samples:number',
  'probe.blind': 'probe:text because:text from:number to:number samples:number',
  'probe.ended': 'probe:text end:text',
  quiet: 'quiet:truth waitedMs:number busy:list',
  'edges.passed': 'edges:list open:list?',
  'log.error': 'service:text text:text parts:list? raisedAt:text?',
  'log.undecided': 'service:text lines:number because:text?',
  'log.tail': 'service:text lines:list',
  'attempt.ended': 'end:text because:text? durationMs:number',
  'environment.booting': 'nodes:number containment:text',
  'environment.ready': 'bootMs:number',
  'environment.failed': 'problems:list',
  'environment.stopping': 'cause:text because:text',
  'environment.down': 'leftBehind:list',
  'node.waiting': 'kind:text name:text after:list',
  'node.starting': 'kind:text name:text',
  'node.started': 'kind:text name:text pid:number? argv:list?',
  'node.attached': 'kind:text name:text url:text address:text',
  'node.reused': 'kind:text name:text key:text',
  'node.ready': 'kind:text name:text address:text?',
  'node.failed': 'kind:text name:text problem:map',
  'node.exited': 'kind:text name:text code:number~ signal:text~ expected:truth',
  'node.stopped': 'kind:text name:text how:text',
  'port.retried': 'name:text taken:number attempt:number',
  'file.rendered': 'name:text file:text bytes:number',
  'edge.listening': 'from:text to:text url:text',
  'edge.disturbed': 'from:text to:text rule:text',
  'disturbance.felt': 'from:text to:text disturbance:text crossing:number connection:number what:text',
  'disturbance.unfit': 'from:text to:text disturbance:text crossing:number connection:number what:text',
  'connection.opened': 'from:text to:text connection:number',
  'connection.refused': 'from:text to:text because:text what:text?',
  'connection.closed':
    'from:text to:text connection:number end:text bytesSent:number bytesReceived:number openMs:number firstByteMs:number?',
  call: 'from:text to:text crossing:number connection:number protocol:text method:text path:text request:map response:map? turn:map? faults:list? startedAt:number endedAt:number incomplete:text? waits:truth?',
  'model.called':
    'resource:text caller:text call:number mode:text dialect:text~ model:text~ streamed:truth status:number requestId:text? line:number? usage:map~ costUsd:number~ fault:map? startedAt:number endedAt:number',
  'peer.called':
    'resource:text caller:text method:text path:text status:number line:number? by:text? fault:map?',
  'peer.unused': 'resource:text caller:text line:number what:text',
  'peer.recorded': 'resource:text file:text calls:number because:text?',
  span: 'resource:text span:map more:text?',
  'log.dropped': 'name:text from:number to:number',
  'log.uncapped': 'name:text because:text',
  'journal.full': 'bytes:number',
  'command.started': 'argv:list pid:number',
  'command.exited': 'pid:number code:number~ signal:text~',
  'stray.ended': 'commandLine:text',
  'teardown.failed': 'step:text problem:map',
};

type Field = readonly [name: string, kind: string, sign: string];

const fieldsOf: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.entries(forms).map(([type, form]) => [
    type,
    `${form} seq:number at:number`.split(' ').map((field): Field => {
      const [, name = '', kind = '', sign = ''] = /^(\w+):(\w+)(.?)$/.exec(field) ?? [];
      return [name, kind, sign];
    }),
  ]),
);

/** What is wrong with an event; undefined when nothing is. */
export function faultOfEvent(event: unknown): string | undefined {
  if (kindOf(event) !== 'map') return 'is not an event';
  const { type } = event as { type?: unknown };
  const fields = typeof type === 'string' ? fieldsOf.get(type) : undefined;
  if (!fields) return `has an event of the unknown kind ${JSON.stringify(type)}`;
  for (const [name, kind, sign] of fields) {
    const value: unknown = Reflect.get(event as object, name);
    if (value === undefined && sign === '?') continue;
    if (value === null && sign === '~') continue;
    if (kindOf(value) !== kind && !isElsewhere(value))
      return `has \`${type}\` without its \`${name}\`, a ${kind}`;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'truth';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'list' : 'map';
    default:
      return typeof value;
  }
}

/** A value that was too large for its line, or for the segment. */
function isElsewhere(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('$packed' in value || '$dropped' in value);
}
