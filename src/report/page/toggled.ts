/** A set with one value more, or one less. */
export function toggled<Value>(values: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  return values.has(value) ? without(values, value) : new Set([...values, value]);
}

export function without<Value>(values: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  return new Set([...values].filter((other) => other !== value));
}
