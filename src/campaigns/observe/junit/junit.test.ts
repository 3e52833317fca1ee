import { expect, test } from 'vitest';
import { observeLimits } from '../observe-limits.ts';
import { nameTests } from './name-tests.ts';
import { parseJunit } from './parse-junit.ts';

const nested = `<?xml version="1.0" encoding="utf-8"?>
<!-- a comment with <testcase name="none"/> -->
<testsuites>
  <testcase name="top" time="0.25" classname="test" file="/project/a.test.mjs"/>
  <testsuite name="outer" time="1.5" timestamp="2026-01-02T03:04:05.678Z">
    <properties><property name="failure" value="x > y"/></properties>
    <testcase name="fails" classname="outer" line="12">
      <failure message="1 &lt; 2 &#38; &quot;more&quot;" type="Error"><![CDATA[a <b> ]] c]]> and &amp; d</failure>
      <system-out><![CDATA[<testcase name="none"/>]]></system-out>
    </testcase>
    <testsuite name='inner'>
      <testcase name="breaks" classname='outer.inner'><error type="Boom"/></testcase>
      <testcase name="later" classname="outer.inner"><skipped message="why"/><failure message="x"/></testcase>
      <testcase name="off" classname="outer.inner" status="disabled"/>
    </testsuite>
  </testsuite>
</testsuites>`;

test('suites in suites, failures, errors, skips and times', () => {
  const { suites, tests, fault } = parseJunit(nested);
  expect(fault).toBeUndefined();
  expect(suites).toEqual([
    { name: 'outer', parent: null, timestamp: '2026-01-02T03:04:05.678Z', durationMs: 1_500 },
    { name: 'inner', parent: 0, durationMs: null },
  ]);
  expect(tests).toMatchObject([
    { name: 'top', outcome: 'passed', durationMs: 250, suite: null, path: [] },
    { name: 'fails', outcome: 'failed', message: '1 < 2 & "more"', text: 'a <b> ]] c and & d', line: 12 },
    { name: 'breaks', outcome: 'failed', message: 'Boom', suite: 1, path: ['outer', 'inner'] },
    { name: 'later', outcome: 'skipped', message: 'why' },
    { name: 'off', outcome: 'skipped' },
  ]);
  expect(nameTests([{ suites, tests }], '/project').map(({ id, file }) => [id, file])).toEqual([
    ['top', 'a.test.mjs'],
    ['outer › fails', undefined],
    ['outer.inner › breaks', undefined],
    ['outer.inner › later', undefined],
    ['outer.inner › off', undefined],
  ]);
});

test('a time of its own is an attribute, or a property, of a test', () => {
  const source = `<testsuite><properties><property name="timestamp" value="no"/></properties>
    <testcase name="a" timestamp="2026"/>
    <testcase name="b"><properties><property name="timestamp" value="2027"/></properties></testcase></testsuite>`;
  expect(parseJunit(source).tests.map(({ timestamp }) => timestamp)).toEqual(['2026', '2027']);
});

test('tests of one name are one, with the worst outcome, unless they stand in different files', () => {
  const of = (file: string, outcome: string): string =>
    `<testcase name="works" ${file && `file="${file}"`} time="1">${outcome}</testcase>`;
  const report = (...cases: string[]) => parseJunit(`<testsuite>${cases.join('')}</testsuite>`);
  const one = nameTests([report(of('', ''), of('', '<error/>')), report(of('', '<skipped/>'))], '/w');
  expect(one).toMatchObject([{ id: 'works', durationMs: 3_000, worst: { outcome: 'failed' } }]);
  const two = nameTests([report(of('a.py', ''), of('b.py', '<failure/>'))], '/w');
  expect(two).toMatchObject([
    { id: 'a.py › works', worst: { outcome: 'passed' } },
    { id: 'b.py › works', worst: { outcome: 'failed' } },
  ]);
});

test.each([
  ['nothing', '', /holds no <testsuites>/],
  ['something else', '{"tests":1}', /holds no <testsuites>/],
  ['another document', '<html><body>404</body></html>', /holds no <testsuites>/],
  [
    'a document that breaks off',
    '<testsuites><testsuite><testcase name="a"/>\n<testcase name="b">',
    /breaks off inside of <testcase>/,
  ],
  [
    'a tag that breaks off',
    '<testsuites><testcase name="a"/>\n\n<testcase name="b',
    /line 3: a tag that has no end/,
  ],
  [
    'text that breaks off',
    '<testsuites><testcase name="a"/><![CDATA[ x',
    /line 1: a CDATA section that has no end/,
  ],
  ['no names', '<testsuites><testcase name="a"/>< ></testsuites>', /a tag without a name/],
  ['too deep', `${'<testsuite>'.repeat(200)}<testcase name="a"/>`, /too many elements in each other/],
])('%s: what was read before stands', (_, source, why) => {
  const { tests, fault } = parseJunit(source);
  expect(fault).toMatch(why);
  expect(tests.map(({ name }) => name)).toEqual(
    source.includes('name="a"') && !why.source.includes('too many') ? ['a'] : [],
  );
});

test('entities of its own are not read, and names cannot reach into our objects', () => {
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;&#x110000;&#0;"/></testsuite>';
  expect(parseJunit(bomb).tests).toMatchObject([{ name: '&b;&#x110000;&#0;' }]);
  const odd =
    '<testsuite><testcase name="__proto__" __proto__="x" constructor="y"><toString/></testcase></testsuite>';
  expect(parseJunit(odd).tests).toMatchObject([{ name: '__proto__', outcome: 'passed' }]);
});

test('a huge report ends at a limit, and takes no time that grows with its square', () => {
  const many = `<testsuite>${'<testcase name="a" time="0.1"/>'.repeat(observeLimits.tests + 1)}</testsuite>`;
  const { tests, fault } = parseJunit(many);
  expect([tests.length, fault]).toEqual([
    observeLimits.tests,
    expect.stringMatching('more than 50000 tests'),
  ]);
  const long = parseJunit(
    `<testsuite><testcase name="${'n'.repeat(1e6)}" ${'x'.repeat(2e6)}><failure message="${'m'.repeat(1e6)}">${'t'.repeat(4e6)}</failure></testcase></testsuite>`,
  );
  expect(long.tests[0]?.name.length).toBe(observeLimits.nameChars);
  expect(long.tests[0]?.text?.length).toBe(observeLimits.failureChars);
});
