import { expect, test } from 'vitest';
import { isInNetwork, networkIn, reachOf, usualHost } from './ip-address.ts';

const at = (written: string): string => `${usualHost(written)} ${reachOf(usualHost(written))}`;

test.each([
  ['127.0.0.1', '127.0.0.1 loopback'],
  ['2130706433', '127.0.0.1 loopback'],
  ['0x7f.1', '127.0.0.1 loopback'],
  ['0177.0.0.1', '127.0.0.1 loopback'],
  ['[::1]', '::1 loopback'],
  ['0:0:0:0:0:0:0:1', '::1 loopback'],
  ['::ffff:127.0.0.1', '127.0.0.1 loopback'],
  ['10.0.0.1', '10.0.0.1 elsewhere'],
  ['2001:db8::1', '2001:db8::1 elsewhere'],
])('%s is %s', (written, expected) => expect(at(written)).toBe(expected));

test.each([
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ...[
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ],
  ...['fe80::1', 'FEBF::1', 'fe80::1%eth0', '0.0.0.0', '0', '::', '::ffff:0.0.0.0', '0.1.2.3'],
  ...['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', '224.0.0.1', '255.255.255.255', 'ff02::1'],
])('%s is never reached', (written) => expect(reachOf(usualHost(written))).toBe('never'));

test('names stay names, in small letters', () => {
  expect(usualHost('Staging.Example')).toBe('staging.example');
});

test('networks', () => {
  const inside = (address: string, network: string): boolean => {
    const known = networkIn(network);
    return known !== undefined && isInNetwork(address, known);
  };
  expect(inside('10.9.8.7', '10.0.0.0/8')).toBe(true);
  expect(inside('11.9.8.7', '10.0.0.0/8')).toBe(false);
  expect(inside('2001:db8::7', '2001:db8::/32')).toBe(true);
  expect(inside('10.9.8.7', '2001:db8::/32')).toBe(false);
  for (const wrong of ['10.0.0.0', '10.0.0.0/33', 'staging/8', '2001:db8::/129'])
    expect(networkIn(wrong)).toBeUndefined();
});
