/** Bytes that a trial writes as hexadecimal digits; blanks between them are for the reader. */

export function hexBytes(hex: string): Buffer {
  const digits = hex.replaceAll(/\s/g, '');
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) {
    throw new Error(`\`hex\` must be pairs of hexadecimal digits, got ${JSON.stringify(hex.slice(0, 60))}`);
  }
  return Buffer.from(digits, 'hex');
}
