/** Tells ids that somebody drew from numbers that were given: a UUID or hexadecimal digits from the number of an account. Pure. */

/**
 * Whether hexadecimal digits look random. Numbers of accounts, orders or parts are padded with zeros, or have all their letters at one end.
 * One in a thousand short ids looks like that, too: so in lower case, as ids mostly are, only an IBAN with a right checksum counts.
 */
export function looksRandom(hex: string): boolean {
  if (hex.includes('-')) return !/(.)\1{15}/.test(hex.replaceAll('-', '')); // a UUID
  if (!/\d/.test(hex) || !/[a-f]/i.test(hex) || /(.)\1{6}/.test(hex.replace(/^0+(?=.{16}$)/, '')))
    return false; // a trace id of 64 bits is padded
  if (/^(?:[A-F]+\d+|\d+[A-F]+)$/.test(hex)) return false;
  return !/^[a-f]{2}\d{13,32}$/.test(hex) || !isIban(hex);
}

/** The checksum of ISO 13616: the first four characters go last, letters count from 10 on, and the rest of a division by 97 is 1. */
function isIban(text: string): boolean {
  const turned = `${text.slice(4)}${text.slice(0, 4)}`;
  return BigInt(turned.replaceAll(/[a-f]/g, (letter) => String(Number.parseInt(letter, 36)))) % 97n === 1n;
}
