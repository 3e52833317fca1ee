import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parseExactJson } from './exact-json.ts';
import { parserFault } from './parser-fault.ts';

const secret = 'sk-Zq8vT3nLw0XyRb71KdPm';

function faultOf(parse: (text: string) => unknown, text: string): string {
  try {
    parse(text);
  } catch (error) {
    return parserFault(error);
  }
  return 'it was read';
}

test.each([
  [`{"user":"somebody",\n "token":${secret}}`, 'Unexpected token in JSON at position 29 (line 2 column 10)'],
  [`{"list":["${secret}",None]}`, 'Unexpected token in JSON at position 35 (line 1 column 36)'],
  [secret, 'Unexpected token in JSON at position 0 (line 1 column 1)'],
  [`["${secret}" , ]`, 'Unexpected token in JSON at position 29 (line 1 column 30)'],
  [`{"a\\"":[],"b":}`, 'Unexpected token in JSON at position 14 (line 1 column 15)'],
  [
    `["${'\\n'.repeat(1_000_000)}", x]`,
    'Unexpected token in JSON at position 2000005 (line 1 column 2000006)',
  ],
  ['[object Object]', 'Unexpected token in JSON at position 1 (line 1 column 2)'],
])('invalid JSON is reported by its position: %.40s', (text, fault) => {
  expect(faultOf(parseExactJson, text)).toBe(fault);
});

test('a JSON syntax error never quotes the text', () => {
  const part = fc.constantFrom(...'{}[],:"\\', ' ', '\n', '1', '-', 'true', 'nul', secret, `"${secret}"`);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(faultOf(parseExactJson, parts.join(''))).not.toMatch(/sk-|Zq8v|KdPm/);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [parseYaml, `a: {b: ${secret}\n`, /^Flow map in block collection .* end with a } at line 2, column 1$/],
  [parseYaml, `a: *${secret}`, /^Unresolved alias \(the anchor must be set before the alias\)$/],
  [parseYaml, `a: |${secret}`, /^Block scalar header includes extra characters at line 1, column 5$/],
  [parseYaml, `a: "\\U${secret}"`, /^Invalid escape sequence at line 1, column 5$/],
  [parseToml, `a = ${secret}`, /^invalid value at line 1, column 5$/],
])('nor does one of YAML or TOML: %#', (parse, text, fault) => {
  expect(faultOf(parse, text)).toMatch(fault);
});
