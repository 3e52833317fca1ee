/** An act on a connection or a program that an earlier step opened. */
import { parseDuration } from '../../kernel/duration.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { parseSize } from '../../kernel/size.ts';
import { type Spec, type StepKind, withoutKey } from '../kind/step-kind.ts';

export const onStep: StepKind = {
  unsent: ['on'],
  continues: (spec) => String(spec.on),
  toDriver: (spec) => ({
    step: {
      ...withoutKey(spec, 'on'),
      ...(spec.sendRaw === undefined ? {} : { sendRaw: rawBytes(spec.sendRaw) }),
    },
  }),
};

function rawBytes(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(rawBytes);
  if (typeof written === 'string') return { text: written };
  if (!isContainer(written)) return written;
  const { bytes, pause, then, ...rest } = written as Spec;
  return {
    ...rest,
    ...(bytes === undefined ? {} : { bytes: typeof bytes === 'string' ? parseSize(bytes) : bytes }),
    ...(pause === undefined ? {} : { pauseMs: parseDuration(String(pause)) }),
    ...(then === undefined ? {} : { then: rawBytes(then) }),
  };
}
