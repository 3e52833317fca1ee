/** Which scripts hide how their programs ended. */
import { expect, test } from 'vitest';
import { dropsErrors, hidesExitCode } from './shell-script.ts';

test.each([
  'make check || true',
  'make check; true',
  'make check || :',
  'make check ; exit 0',
  'make check | tee log',
  'make check 2>&1 | tail -n 3',
  'make check\necho done',
  'a && b || true',
  'make check & wait',
  'export FOUND="$(make check)"',
  ['sh', '-c', 'make check || true'],
  ['/bin/bash', '-ec', 'make check || true'],
  'sh -c "make check || true"',
  "A=b bash -e -c 'make check | tee log'",
  ['sh', '-c', 'sh -c "make check; echo \\"done\\""'],
  'curl -s -o /dev/null http://127.0.0.1:8000/',
  ['/usr/bin/curl', '--silent', 'http://127.0.0.1:8000/'],
])('%j hides it', (command) => {
  expect(hidesExitCode(command)).toBe(true);
});

test.each([
  'make check',
  'make check && echo fine',
  'make check | grep fine',
  'set -o pipefail; make check | tee log',
  'set -e; make check; true',
  'echo "a || true"',
  'true',
  'make check & wait $!',
  'FOUND="$(make check)"',
  ['make', 'check', '||', 'true'],
  ['sh', 'script.sh'],
  'sh -c "make check"',
  "bash -o pipefail -c 'make check | tee log'",
  'sh -c "make check || true" && make install',
  'curl -fsS http://127.0.0.1:8000/',
  'curl --fail-with-body http://127.0.0.1:8000/',
  'curl -s --max-time 2 http://127.0.0.1:8000/',
  'curl -s http://127.0.0.1:8000/ | grep fine',
  'wget -q http://127.0.0.1:8000/',
  "make check || { echo 'failed'; exit 1; }",
  'make check || exit 1; echo done',
  'if ! make check; then exit 1; fi\necho done',
  'make check && wait',
  'set -o errexit; make check; echo done',
  'set -x -e\nmake check\necho done',
  ['sh', '-ec', 'make check; echo done'],
  ['bash', '-o', 'pipefail', '-c', 'make check | tee log'],
  'export LEVEL=1\nFOUND=$(make check)',
  'export TOKEN=$(make token) && make check',
  "make list | awk 'END { exit NR != 3 }'",
  'make list | sort -c',
  'make check # not: ; true',
])('%j does not', (command) => {
  expect(hidesExitCode(command)).toBe(false);
});

test.each([
  ['make check 2>/dev/null', true],
  ['make check >/dev/null 2>&1', true],
  ['make check 2> /dev/null || true', true],
  ['exec 2>/dev/null; make check', true],
  ['which jq 2>/dev/null; make check', false],
  ['make list 2>/dev/null | make check', false],
  ['make check "2>/dev/null"', false],
])('%j drops what is complained of: %j', (command, isDropped) => {
  expect(dropsErrors(command)).toBe(isDropped);
});
