/** Reads settings from environment variables; what is missing or wrong stops the service at its start. */

export type Environment = Readonly<Record<string, string | undefined>>;

export function required(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

/** Without a slash at its end. */
export function address(env: Environment, name: string): string {
  const url = required(env, name);
  if (!URL.canParse(url))
    throw new Error(`${name} is ${url}: it must be an address such as http://127.0.0.1:8080`);
  return url.replace(/\/+$/, '');
}

export function wholeNumber(env: Environment, name: string, otherwise: number, most = 3_600_000): number {
  const value = Number(env[name] || otherwise);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw new Error(`${name} is ${env[name]}: it must be a whole number from 0 to ${most}`);
  }
  return value;
}

/** `name=value,name=value`. */
export function pairs(env: Environment, name: string): ReadonlyMap<string, string> {
  const entries = required(env, name).split(',');
  return new Map(
    entries.map((entry): [string, string] => {
      const at = entry.indexOf('=');
      if (at < 1 || at === entry.length - 1) throw new Error(`${name} must be name=value,name=value`);
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}
