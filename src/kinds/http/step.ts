/** A request to a service, and its answer. */

import { type StepKind, textsOf, withoutKey } from '../kind/step-kind.ts';
import { httpEvidence } from './evidence.ts';
import { httpFlow } from './flow.ts';
import { httpRecorder } from './record.ts';

/** METHOD, service, listener, and the rest of the path. */
const callPattern = /^([A-Z]+) ([a-z][a-z0-9-]*)(?:\.([a-z][a-z0-9-]*))?([/?].*)?$/s;

export const httpStep: StepKind = {
  driver: 'http',
  needsListener: true,
  reachesResources: true,
  isOneCall: true,
  oneOf: ['json', 'text', 'form', 'multipart', 'body'],
  target: (written) => {
    const [, name, listener] = /^[A-Z]+ ([a-z][a-z0-9-]*)(?:\.([a-z][a-z0-9-]*))?/.exec(written) ?? [];
    return name === undefined ? undefined : { name, ...(listener === undefined ? {} : { listener }) };
  },
  evidence: httpEvidence,
  words: ({ http }) =>
    String(http)
      .split(/[/?&= ]/)
      .slice(2),
  flow: httpFlow,
  recorder: httpRecorder,
  toDriver: (spec) => {
    const [, method, name, listener, rest = '/'] = callPattern.exec(String(spec.http)) ?? [];
    if (method === undefined || name === undefined)
      return { fault: `\`${String(spec.http)}\` is not METHOD service/path` };
    return {
      step: {
        ...withoutKey(spec, 'http'),
        method,
        target: listener === undefined ? name : `${name}.${listener}`,
        path: rest.startsWith('/') ? rest : `/${rest}`,
        ...textsOf(spec, 'headers'),
        ...textsOf(spec, 'query'),
        ...textsOf(spec, 'form'),
      },
    };
  },
};
