/** Addresses of networks and of devices in their binary form, as PostgreSQL prints them. Pure. */

/** Of a version, its number, the bytes and how its parts are printed. */
const versions: ReadonlyMap<number, { readonly bytes: number; readonly print: (address: Buffer) => string }> =
  new Map([
    [2, { bytes: 4, print: (address) => [...address].join('.') }],
    [3, { bytes: 16, print: printVersion6 }],
  ]);
const headBytes = 4;

/** The version, the length of the mask, whether it is a network, and how many bytes follow. Undefined where it is none. */
export function readAddress(bytes: Buffer): string | undefined {
  const [family = 0, mask, isNetwork, length] = bytes;
  const version = versions.get(family);
  if (version === undefined || version.bytes !== length || bytes.length !== headBytes + length)
    return undefined;
  const address = version.print(bytes.subarray(headBytes));
  return isNetwork === 1 || mask !== length * 8 ? `${address}/${mask}` : address;
}

/** The longest row of zeros, of two at least, is left out; what has a version 4 inside ends like one. */
function printVersion6(address: Buffer): string {
  const parts = Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16));
  const { from, count } = longestZeros(parts);
  if (from === 0 && (count === 6 || (count === 5 && parts[5] === 'ffff')))
    return `::${count === 5 ? 'ffff:' : ''}${[...address.subarray(12)].join('.')}`;
  if (count < 2) return parts.join(':');
  return `${parts.slice(0, from).join(':')}::${parts.slice(from + count).join(':')}`;
}

function longestZeros(parts: readonly string[]): { readonly from: number; readonly count: number } {
  let longest = { from: 0, count: 0 };
  for (let from = 0; from < parts.length; from += 1) {
    let count = 0;
    while (parts[from + count] === '0') count += 1;
    if (count > longest.count) longest = { from, count };
  }
  return longest;
}

export function readDevice(bytes: Buffer): string {
  return bytes.toString('hex').replaceAll(/(..)(?!$)/g, '$1:');
}
