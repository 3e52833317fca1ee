import { expect, test } from 'vitest';
import { nameTests } from '../observed-tests.ts';
import { observeLimits } from './observe-limits.ts';
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

test('tests of one name are one, with the worst outcome, unless they are in different files', () => {
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
  ['nothing', '', /contains no <testsuites>/],
  ['something else', '{"tests":1}', /contains no <testsuites>/],
  ['another document', '<html><body>404</body></html>', /contains no <testsuites>/],
  [
    'a truncated document',
    '<testsuites><testsuite><testcase name="a"/>\n<testcase name="b">',
    /ends inside <testcase>/,
  ],
  ['a truncated tag', '<testsuites><testcase name="a"/>\n\n<testcase name="b', /line 3: a tag is not closed/],
  ['truncated text', '<testsuites><testcase name="a"/><![CDATA[ x', /line 1: a CDATA section is not closed/],
  ['no names', '<testsuites><testcase name="a"/>< ></testsuites>', /a tag has no name/],
  ['too deep', `${'<testsuite>'.repeat(200)}<testcase name="a"/>`, /nested too deeply/],
])('%s: what was read before is kept', (_, source, why) => {
  const { tests, fault } = parseJunit(source);
  expect(fault).toMatch(why);
  expect(tests.map(({ name }) => name)).toEqual(
    source.includes('name="a"') && !why.source.includes('too deep') ? ['a'] : [],
  );
});

test('entities of a declaration are not read, and names cannot reach into our objects', () => {
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;&#x110000;&#0;"/></testsuite>';
  expect(parseJunit(bomb).tests).toMatchObject([{ name: '&b;&#x110000;&#0;' }]);
  const odd =
    '<testsuite><testcase name="__proto__" __proto__="x" constructor="y"><toString/></testcase></testsuite>';
  expect(parseJunit(odd).tests).toMatchObject([{ name: '__proto__', outcome: 'passed' }]);
});

test('a huge report ends at a limit, and does not take quadratic time', () => {
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

test('a failure in a suite outside of its tests is a failed test of that suite', () => {
  const source = `<testsuites><testsuite name="outer"><testsuite name="a.test.js" tests="0" errors="1">
    <properties><property name="x"/></properties>
    <error message="cannot load"><![CDATA[SyntaxError: oh]]></error><system-err>x</system-err></testsuite>
    <testcase name="fine" classname="outer"/></testsuite><failure>the runner broke</failure></testsuites>`;
  const report = parseJunit(source);
  expect(report.fault).toBeUndefined();
  expect(report.tests).toMatchObject([
    { outcome: 'failed', message: 'cannot load', text: 'SyntaxError: oh', path: ['outer', 'a.test.js'] },
    { outcome: 'passed', name: 'fine' },
    { outcome: 'failed', text: 'the runner broke', path: [] },
  ]);
  expect(nameTests([report], '/w').map(({ id, worst }) => [id, worst.outcome])).toEqual([
    ['outer › a.test.js › the suite itself', 'failed'],
    ['outer › fine', 'passed'],
    ['the suite itself', 'failed'],
  ]);
});

test.each([
  ['status="fail"', 'failed'],
  ['status="Failed"', 'failed'],
  ['status="error"', 'failed'],
  ['result="failure"', 'failed'],
  ['status="run" result="error"', 'failed'],
  ['status="run" result="completed"', 'passed'],
  ['status="run" result="skipped"', 'skipped'],
  ['status="notrun" result="suppressed"', 'skipped'],
])('a test with %s is %s', (attributes, outcome) => {
  const { tests, fault } = parseJunit(`<testsuite><testcase name="a" ${attributes}/></testsuite>`);
  expect([tests.map((one) => one.outcome), fault]).toEqual([[outcome], undefined]);
});

const cases = '<testcase name="a"/><testcase name="b"/>';
const broken = '<testcase name="c"><failure/></testcase>';

test.each([
  [
    `<testsuite name="s" tests="2" failures="1">${cases}</testsuite>`,
    /<testsuite name="s"> says failures="1"/,
  ],
  [
    `<testsuites errors="2"><testsuite>${cases}${broken}</testsuite></testsuites>`,
    /says errors="2", but contains 1/,
  ],
  [`<testsuite tests="3">${cases}</testsuite>`, /<testsuite> says tests="3", but contains 2/],
  [
    `<testsuites tests="9"><testsuite tests="2">${cases}</testsuite></testsuites>`,
    /says tests="9", but contains 2/,
  ],
  [
    `<testsuites><testsuite tests="1"/><testsuite tests="2">${cases}</testsuite></testsuites>`,
    /tests="1", but contains 0/,
  ],
])('totals that exceed the content are a fault: %s', (source, why) => {
  expect(parseJunit(source).fault).toMatch(why);
});

test.each([
  [
    'all is there',
    `<testsuites tests="3" failures="1" errors="0"><testsuite>${cases}${broken}</testsuite></testsuites>`,
  ],
  ['fewer than there are', `<testsuite tests="1" failures="0">${cases}${broken}</testsuite>`],
  [
    'skipped ones are counted and not listed',
    `<testsuites tests="4" skipped="2"><testsuite tests="4">${cases}</testsuite></testsuites>`,
  ],
  [
    'suites in suites are counted',
    `<testsuite tests="2"><testsuite tests="1">${broken}</testsuite><testsuite/></testsuite>`,
  ],
  [
    'a clean-up that failed is counted, too',
    `<testsuite tests="2" errors="1"><testcase name="a"><error/></testcase></testsuite>`,
  ],
  [
    'an unfinished test that fails',
    '<testsuite tests="1" failures="1"><testcase name="a"><skipped/><failure/></testcase></testsuite>',
  ],
  [
    'one fails by its attribute',
    '<testsuite tests="1" failures="1"><testcase name="a" status="fail"/></testsuite>',
  ],
  ['no numbers', `<testsuite tests="many" failures="" errors="-1">${cases}</testsuite>`],
])('totals that a runner counts in its own way are not: %s', (_, source) => {
  expect(parseJunit(source).fault).toBeUndefined();
});
