/** A name is what its addresses are: all of them are checked, and what was checked is called. */
import { expect, test } from 'vitest';
import { theirServer } from '../../../test/harness/their-server.ts';
import { atAddress } from '../../system/attached/at-address.ts';
import { checkedAddresses, firstReachable } from './find-address.ts';

const at = { host: 'staging.test', port: 80, origin: 'http://staging.test:80' };

async function outcome(addresses: readonly string[], allow: Readonly<Record<string, string>> = {}) {
  return checkedAddresses('service api', at, allow, async () => addresses).then(
    (found) => found.join(),
    (error: Error) => error.message,
  );
}

test.each([
  [['127.0.0.1', '::1'], {}, '127.0.0.1,::1'],
  [['10.0.0.7'], {}, '10.0.0.7, of staging.test, is not on this machine, and not listed in `allow`'],
  [['127.0.0.1', '10.0.0.7'], {}, '10.0.0.7, of staging.test, is not on this machine'],
  [['10.0.0.7'], { 'staging.test': 'ours' }, '10.0.0.7'],
  [['10.0.0.7'], { 'staging.test:80': 'ours' }, '10.0.0.7'],
  [['10.0.0.7'], { 'staging.test:81': 'ours' }, 'is not on this machine'],
  [['10.0.0.7'], { 'other.test': 'ours' }, 'is not on this machine'],
  [['10.0.0.7', '10.0.0.8'], { '10.0.0.7': 'ours' }, '10.0.0.8, of staging.test, is not on this machine'],
  [['10.0.0.7', '10.0.0.8'], { '10.0.0.0/24': 'ours' }, '10.0.0.7,10.0.0.8'],
  [['169.254.169.254'], { 'staging.test': 'ours', '169.0.0.0/8': 'ours' }, 'and never reached'],
  [['127.0.0.1', 'fe80::1%eth0'], { 'staging.test': 'ours' }, 'and never reached'],
  [['::ffff:169.254.169.254'], { 'staging.test': 'ours' }, 'and never reached'],
  [['0.0.0.0'], { 'staging.test': 'ours' }, 'and never reached'],
])('%j with %j: %s', async (addresses, allow, expected) => {
  expect(await outcome(addresses, allow)).toContain(expected);
});

test('the first address that answers is taken', async () => {
  const { port } = await theirServer();
  const found = atAddress(`http://localhost:${port}`);
  if (!found) throw new Error('no address');
  const signal = AbortSignal.timeout(5_000);
  expect(await firstReachable(['::1', '127.0.0.1'], found, signal)).toEqual({ address: '127.0.0.1' });
  expect(await firstReachable(['::1'], found, signal)).toMatchObject({ saw: expect.stringContaining('::1') });
});
