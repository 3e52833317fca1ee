import { expect, test } from 'vitest';
import { messageOfNode } from '../../../test/harness/config-project.ts';

test.each([
  ['() => ({ name: 1 })', 'config.function', 'the default export is a function'],
  ['class Config {}', 'config.function', 'the default export is the class Config'],
  ["Promise.resolve({ name: 'a' })", 'config.wrong-type', 'the default export is an instance of Promise'],
  ['undefined', 'config.wrong-type', 'the default export is undefined'],
  ["'text'", 'config.wrong-type', 'the config is "text", a text'],
  [
    "{ get name() { throw new Error('NAME is not set'); } }",
    'config.threw',
    'the config threw Error: NAME is not set',
  ],
  ["new Proxy({}, { ownKeys() { throw 'p'; } })", 'config.threw', 'the config threw "p"'],
  [
    "{ name: 'a\\0' }",
    'config.wrong-type',
    '`name` is a text with the character NUL, which ends texts in programs',
  ],
])('export default %s', async (exported, code, what) => {
  const shown = await messageOfNode({ 'shakedown.config.ts': `const x = 1;\nexport default ${exported};\n` });
  expect(shown).toContain(`error[${code}] ~/shakedown.config.ts`);
  expect(shown).toContain(`what     ${what}\n`);
});

test('everything in a config that YAML cannot express, each at its position', async () => {
  const config = `import { defineSystem } from 'shakedown';
class Box {}
const loop: Record<string, unknown> = {};
loop.inner = { loop };
export default defineSystem({
  name: 'a',
  services: {
    web: {
      run: () => 'x',
      env: {
        A: undefined,
        B: Number.NaN,
        C: new Date(0),
        D: new Map(),
        E: 1n,
        F: new Box(),
        G: Symbol('x'),
        H: [, 1],
      },
      ready: loop,
    },
  },
} as never);
`;
  const shown = await messageOfNode({ 'shakedown.config.ts': config });
  const brief = shown.split('\n\n').map((problem) => {
    const [, code, at] = /^error\[(.+)\] .*\.ts:(.+)$/m.exec(problem) ?? [];
    return `${at} ${code}: ${/^ {2}what {5}(.*)$/m.exec(problem)?.[1]}`;
  });
  expect(brief).toEqual([
    '9:12 config.function: `services.web.run` is a function',
    '11:12 config.wrong-type: `services.web.env.A` is undefined',
    '12:12 config.wrong-type: `services.web.env.B` is NaN',
    '13:12 config.wrong-type: `services.web.env.C` is an instance of Date',
    '14:12 config.wrong-type: `services.web.env.D` is an instance of Map',
    '16:12 config.wrong-type: `services.web.env.F` is an instance of Box',
    '17:12 config.wrong-type: `services.web.env.G` is a symbol',
    '18:12 config.wrong-type: `services.web.env.H` is a list with holes',
    '20:7 config.wrong-type: `services.web.ready.inner.loop` is a value that contains itself',
  ]);
});
