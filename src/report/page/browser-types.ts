/** In the place of `node:util` in a browser: what the shared modules use of it. */
export const types = {
  isDate: (value: unknown): value is Date => value instanceof Date,
  isUint8Array: (value: unknown): value is Uint8Array => value instanceof Uint8Array,
};
