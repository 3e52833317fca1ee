/** What a reading gives, or another value where it fails: for what may vanish at any time, or is not of its form. */
export function orElse<Value, Otherwise>(read: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
