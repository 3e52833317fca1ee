import { expect, test } from 'vitest';
import { ExactNumber } from '../../kernel/exact-json.ts';
import { notKept } from '../../kernel/not-kept.ts';
import { type FileForm, understand } from './file-forms.ts';

const seen = (form: FileForm, text: string): unknown => understand(form, Buffer.from(text));

const page = `---
title: Soup
tags: [warm, easy]
---
# Soup #

Some words - [ ] not a box

- [ ] cut onions
  * [x] wash them
1. [X] boil water

Serve
-----

\`\`\`md
# not a heading
- [ ] not a box
\`\`\`

~~~
\`\`\`
# nor this
~~~
####### seven
## Last
- item
- [y] no box
`;

test('Markdown: front matter, headings, checkboxes', () => {
  expect(seen('markdown', page)).toEqual({
    markdown: {
      frontMatter: { title: 'Soup', tags: ['warm', 'easy'] },
      headings: [
        { level: 1, text: 'Soup', line: 5 },
        { level: 2, text: 'Serve', line: 13 },
        { level: 2, text: 'Last', line: 26 },
      ],
      checkboxes: [
        { text: 'cut onions', checked: false, under: 'Soup', line: 9 },
        { text: 'wash them', checked: true, under: 'Soup', line: 10 },
        { text: 'boil water', checked: true, under: 'Soup', line: 11 },
      ],
    },
  });
});

test('Markdown without front matter, and with one that is broken', () => {
  expect(seen('markdown', '\uFEFF# A\r\n- [ ] b\r\n')).toEqual({
    markdown: {
      frontMatter: null,
      headings: [{ level: 1, text: 'A', line: 1 }],
      checkboxes: [{ text: 'b', checked: false, under: 'A', line: 2 }],
    },
  });
  expect(seen('markdown', '---\nnever closed\n')).toMatchObject({ markdown: { frontMatter: null } });
  expect(seen('markdown', '---\na: [\n---\n')).toEqual({ broken: expect.stringMatching(/^no markdown: /) });
});

test('YAML: one document, several, none, and what is not YAML', () => {
  expect(seen('yaml', 'a: 1\nb: &x [ready, 2026-01-01]\nc: *x\n')).toEqual({
    yaml: { a: 1, b: ['ready', '2026-01-01'], c: ['ready', '2026-01-01'] },
  });
  expect(seen('yaml', 'a: 1\n---\n- 2\n')).toEqual({ yaml: [{ a: 1 }, [2]] });
  expect(seen('yaml', '')).toEqual({ yaml: null });
  expect(seen('yaml', '[1e999]')).toEqual({ yaml: [new ExactNumber('1e999')] });
  expect(seen('yaml', 'a: [1')).toEqual({ broken: expect.stringMatching(/^no yaml: /) });
  expect(seen('yaml', 'a: &a\n  b: *a\n')).toEqual({ broken: expect.stringMatching(/^no yaml: /) });
});

test('YAML: merge keys are applied, and what a map has itself comes first', () => {
  const text = 'base: &b { debug: true, port: 1 }\nmore: &m { port: 3, tls: on! }\n';
  expect(seen('yaml', `${text}prod: { <<: *b, port: 2 }\nboth: { <<: [*b, *m] }\n`)).toMatchObject({
    yaml: { prod: { debug: true, port: 2 }, both: { debug: true, port: 1, tls: 'on!' } },
  });
  expect(seen('yaml', 'a: { "<<": 1 }')).toEqual({ yaml: { a: { '<<': 1 } } });
});

test('YAML: a scalar that readers of 1.1 and 1.2 read differently is unknown, and nothing beside it', () => {
  const text = 'words: [on, ready]\nadmin: &a yes\nroot: *a\ncountry: "no"\nkey: !!str no\non: push\n';
  const unknown = { $dropped: { because: expect.stringContaining('YAML 1.1') } };
  expect(seen('yaml', text)).toEqual({
    yaml: {
      words: [unknown, 'ready'],
      admin: unknown,
      root: unknown,
      country: 'no',
      key: 'no',
      on: 'push',
    },
  });
  expect(seen('markdown', '---\ndraft: no\n---\n')).toMatchObject({
    markdown: { frontMatter: { draft: unknown } },
  });
});

test('YAML: what is infinite or not a number is unknown, because patterns have no such number', () => {
  const unknown = { $dropped: { because: expect.stringContaining('as: text') } };
  expect(seen('yaml', '[.nan, -.inf, .Inf, ".inf"]')).toEqual({ yaml: [unknown, unknown, unknown, '.inf'] });
  expect(seen('yaml', '.inf: 1')).toEqual({ yaml: { '.inf': 1 } });
});

test('YAML that grows without end is refused', () => {
  const bomb = [
    'a0: &a0 [x, x]',
    ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`),
  ];
  expect(seen('yaml', bomb.join('\n'))).toEqual({ broken: expect.stringMatching(/^no yaml: .*alias/i) });
});

test('XML: elements, attributes, text, lists', () => {
  const text = '<?xml version="1.0"?><a x="1"><b>007</b><b>&lt;two&gt;</b><c/><d><![CDATA[<e>]]></d></a>';
  expect(seen('xml', text)).toEqual({ xml: { a: { '@x': '1', b: ['007', '<two>'], c: '', d: '<e>' } } });
  expect(seen('xml', '<a>')).toEqual({ broken: 'no xml: Unclosed tag at line 1, column 1' });
  expect(seen('xml', '<a><sk-12></sk-34></a>')).toEqual({ broken: expect.not.stringContaining('sk-') });
  expect(seen('xml', 'plain')).toEqual({ broken: expect.stringMatching(/^no xml: /) });
});

test('XML: characters by their numbers, and blanks', () => {
  const text =
    '<a x=" &#xE9; ">\n  <b>Caf&#233; &amp;#233; &lt;</b>\n  <c> 5 </c>\n  <d>\n  </d> or <e>1</e> two\n</a>\n';
  expect(seen('xml', text)).toEqual({
    xml: { a: { '@x': ' é ', b: 'Café &#233; <', c: ' 5 ', d: '', e: '1', '#text': ' or  two\n' } },
  });
});

test('XML that grows without end is refused', () => {
  const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
  const bomb = `<!DOCTYPE a [<!ENTITY e0 "lol">${entities.join('')}]><a>&e20;</a>`;
  expect(JSON.stringify(seen('xml', bomb)).length).toBeLessThan(200_000);
});

test('JSON, text, and a file that is too large', () => {
  expect(seen('json', '\uFEFF{"a":1}')).toEqual({ json: { a: 1 } });
  expect(seen('json', '{')).toEqual({ broken: expect.stringMatching(/^no json: /) });
  expect(seen('text', 'é\n')).toEqual({ text: 'é\n' });
  expect(seen('hash', 'x')).toEqual({});
  expect(understand('json', undefined)).toEqual({ json: notKept, broken: 'larger than 8 MB' });
  expect(seen('json', '{"a":1,"b":{"a":2}}')).toEqual({ json: { a: 1, b: { a: 2 } } });
  expect(seen('json', '{"role":"admin", "role" : "user"}')).toEqual({
    broken: 'no json: a map has the same key twice',
  });
});

test('what is not UTF-8 is not read as if it were, whatever its form', () => {
  const latin = Buffer.from('# M\xfcller', 'latin1');
  for (const form of ['text', 'json', 'yaml', 'markdown', 'xml'] as const)
    expect(understand(form, latin)).toEqual({ broken: `no ${form}: it is not UTF-8` });
  expect(seen('text', '\uFEFFMüller')).toEqual({ text: '\uFEFFMüller' });
  expect(seen('json', '\uFEFF"Müller"')).toEqual({ json: 'Müller' });
});
