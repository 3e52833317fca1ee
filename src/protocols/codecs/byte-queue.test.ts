import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteQueue } from './byte-queue.ts';

test('behaves as a list of bytes does, whatever is appended and taken', () => {
  const action = fc.oneof(
    fc.record({ append: fc.uint8Array({ maxLength: 400 }) }),
    fc.record({ take: fc.nat(500) }),
    fc.record({ find: fc.nat(255), from: fc.nat(300) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const queue = createByteQueue();
      let model: number[] = [];
      for (const step of actions) {
        if ('append' in step) {
          queue.append(step.append);
          model = [...model, ...step.append];
        } else if ('take' in step) {
          expect([...queue.take(step.take)]).toEqual(model.slice(0, step.take));
          model = model.slice(step.take);
        } else {
          expect(queue.indexOf(step.find, step.from)).toBe(model.indexOf(step.find, step.from));
        }
        expect(queue.length).toBe(model.length);
        expect([...queue.peek(10)]).toEqual(model.slice(0, 10));
        expect([queue.at(0), queue.at(Math.max(0, model.length - 1)), queue.at(model.length)]).toEqual([
          model[0],
          model.at(-1),
          undefined,
        ]);
      }
    }),
  );
});
