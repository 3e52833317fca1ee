import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { ScriptValues } from '../../script-values.ts';
import type { ModelScript, RequestView, ScriptLine } from '../script-line.ts';
import { openScript as open, type Script } from './open-script.ts';

const openScript = (script: ModelScript, standing: ModelScript): Script =>
  open(script, standing, new ScriptValues(systemClock));

const asked = (text: string): (() => RequestView) => {
  const view = { text, turn: 0, tools: ['search'] } as unknown as RequestView;
  return () => view;
};

function shown(
  script: ReturnType<typeof openScript>,
  caller: string,
  ...texts: readonly string[]
): unknown[] {
  return texts.map((text) => {
    const choice = script.choose(caller, asked(text));
    return choice.kind === 'line' ? choice.line.says : choice.kind;
  });
}

describe('which line a call gets', () => {
  test('lines in their order, each once, and then none', () => {
    const script = openScript({ agent: [{ says: 'one' }, { says: 'two' }] }, {});
    expect(shown(script, 'agent', 'a', 'b', 'c')).toEqual(['one', 'two', 'unscripted']);
  });

  test('`times` repeats a line in its place', () => {
    const script = openScript(
      {
        agent: [
          { says: 'one', times: 2 },
          { says: 'two', times: 'any' },
        ],
      },
      {},
    );
    expect(shown(script, 'agent', '', '', '', '', '')).toEqual(['one', 'one', 'two', 'two', 'two']);
  });

  test('a line with `when` waits for its call, and the others go on', () => {
    const script = openScript(
      { agent: [{ says: 'weather', when: { text: 'weather?' } }, { says: 'one' }] },
      {},
    );
    expect(shown(script, 'agent', 'hello', 'weather?', 'weather?')).toEqual(['one', 'weather', 'unscripted']);
  });

  test('a missing key fulfils a denial that only chooses', () => {
    const when = { system: { $not: { $contains: 'summary' } } };
    const script = openScript({ agent: [{ says: 'plain', when }] }, {});
    expect(shown(script, 'agent', 'hello')).toEqual(['plain']);
  });

  test('two lines that wait for different things and both fit are ambiguous, and stay', () => {
    const script = openScript(
      {
        agent: [
          { says: 'a', when: { text: { $contains: 'x' } } },
          { says: 'b', when: { text: 'xy' } },
        ],
      },
      {},
    );
    const choice = script.choose('agent', asked('xy'));
    expect(choice).toEqual({
      kind: 'ambiguous',
      what: 'line 1 (says "a") and line 2 (says "b") both fit',
    });
    expect(shown(script, 'agent', 'x')).toEqual(['a']);
    expect(shown(script, 'agent', 'xy')).toEqual(['b']);
  });

  test('two lines that wait for the same are used in their order', () => {
    const when = { text: 'again' };
    const script = openScript(
      {
        agent: [
          { says: 'first', when },
          { says: 'second', when },
        ],
      },
      {},
    );
    expect(shown(script, 'agent', 'again', 'again')).toEqual(['first', 'second']);
  });

  test('`*` is for callers without lines of their own, which share it', () => {
    const script = openScript({ agent: [{ says: 'mine' }], '*': [{ says: 'one' }, { says: 'two' }] }, {});
    expect(shown(script, 'other', '')).toEqual(['one']);
    expect(shown(script, 'third', '', '')).toEqual(['two', 'unscripted']);
    expect(shown(script, 'agent', '', '')).toEqual(['mine', 'unscripted']);
  });

  test('a name that every object has is not a caller', () => {
    expect(shown(openScript({}, {}), 'constructor', '')).toEqual(['unscripted']);
  });
});

describe('standing lines', () => {
  const title: ScriptLine = { says: 'A title', when: { text: { $startsWith: 'Title' } } };

  test('answer next to the script, as often as they fit', () => {
    const script = openScript({ agent: [{ says: 'one' }, { says: 'two' }] }, { '*': [title] });
    expect(shown(script, 'agent', 'a', 'Title?', 'b', 'Title?')).toEqual([
      'one',
      'A title',
      'two',
      'A title',
    ]);
  });

  test('the lines of the trial that fit come first, those of the caller before those for all', () => {
    const script = openScript(
      { agent: [{ says: 'of the trial', when: { text: 'Title 1' } }] },
      { agent: [{ says: 'of the agent', when: { text: 'Title 2' } }], '*': [title] },
    );
    expect(shown(script, 'agent', 'Title 1', 'Title 2', 'Title 3')).toEqual([
      'of the trial',
      'of the agent',
      'A title',
    ]);
  });

  test('one without `when` answers what nothing else answers', () => {
    const script = openScript({ agent: [{ says: 'one' }] }, { '*': [{ says: 'always' }] });
    expect(shown(script, 'agent', '', '', '')).toEqual(['one', 'always', 'always']);
  });

  test('have no number, and are never missed', () => {
    const script = openScript({}, { '*': [{ says: 'always' }, { says: 'twice', when: {}, times: 2 }] });
    expect(script.choose('agent', asked(''))).toMatchObject({ kind: 'line', number: undefined });
    expect(script.unused()).toEqual([]);
  });

  test('of lines with the same `firstOf` the first that fits is used', () => {
    const lines: ScriptLine[] = [
      { says: 'narrow', when: { text: 'ab' }, firstOf: 'file' },
      { says: 'wide', when: { text: { $contains: 'a' } }, firstOf: 'file' },
    ];
    expect(shown(openScript({}, { '*': lines }), 'agent', 'ab', 'ac')).toEqual(['narrow', 'wide']);
  });
});

describe('what is reported when no line is used', () => {
  const what = (lines: readonly ScriptLine[], ...texts: readonly string[]): unknown => {
    const script = openScript({ agent: lines }, {});
    shown(script, 'agent', ...texts.slice(0, -1));
    return script.choose('agent', asked(texts.at(-1) ?? ''));
  };

  test('there was never one', () => {
    expect(openScript({}, {}).choose('agent', asked(''))).toEqual({
      kind: 'unscripted',
      what: 'there is no script for it',
    });
  });

  test('all have been used', () => {
    expect(what([{ says: 'a' }], '', '')).toMatchObject({ what: 'its one line has been used' });
    expect(what([{ says: 'a' }, { says: 'b' }], '', '', '')).toMatchObject({
      what: 'all 2 lines have been used',
    });
  });

  test('some are left, and the nearest says where it differs', () => {
    const lines: ScriptLine[] = [
      { says: 'a', when: { text: 'x', turn: 3 } },
      { says: 'b', when: { text: 'y' } },
    ];
    expect(what(lines, 'z')).toEqual({
      kind: 'unscripted',
      what: '2 lines are left, and none fits: line 2 expects "y" at $.text and got "z"',
    });
  });
});

test('unused lines are named, also those that were used too rarely', () => {
  const script = openScript(
    {
      agent: [
        { says: 'told' },
        { says: 'two of three', times: 3 },
        { calls: [{ name: 'search', arguments: {} }] },
      ],
      other: [{ error: { status: 429 } }, { says: 'free', times: 'any' }],
    },
    {},
  );
  shown(script, 'agent', '', '', '');
  expect(script.unused()).toEqual([
    { caller: 'agent', line: 2, what: 'says "two of three", used 2 of 3 times' },
    { caller: 'agent', line: 3, what: 'calls search' },
    { caller: 'other', line: 1, what: 'error 429' },
  ]);
});
