/** Finds in the texts of a consumer where it names another service: with a port, in an address, or as a host. Pure. */
import { portOfScheme } from './known-ports.ts';

export interface Mention {
  readonly name: string;
  readonly port?: number;
  readonly scheme?: string;
}

const address =
  /(?:\b([a-z][a-z0-9+.-]*):\/\/(?:[^\s/@"'?#]*@)?|(?<![\w.@-]))([a-z][\w.-]*)(?::(\d{1,5}))?(?![\w:.-]*@)(?![\w-])/gi;

/** `texts` by their names, as far as they have one: two variables can be a host and its port. */
export function findMentions(
  env: Readonly<Record<string, string>>,
  texts: readonly string[],
  names: readonly string[],
): readonly Mention[] {
  const known = new Set(names);
  const found = [...Object.values(env), ...texts].flatMap((text) => mentionsIn(text, known));
  return [...found, ...Object.entries(env).flatMap(([key, value]) => hostMention(env, key, value, known))];
}

function mentionsIn(text: string, known: ReadonlySet<string>): Mention[] {
  return [...text.matchAll(address)].flatMap(([, scheme, host, port]): Mention[] => {
    const name = host as string;
    if (!known.has(name) || (scheme === undefined && port === undefined)) return [];
    const number = port === undefined ? portOfScheme(scheme ?? '') : Number(port);
    if (number !== undefined && (number < 1 || number > 65_535)) return [];
    return [
      {
        name,
        ...(number === undefined ? {} : { port: number }),
        ...(scheme === undefined ? {} : { scheme }),
      },
    ];
  });
}

/** `DB_HOST: db` beside `DB_PORT: 5432`; a whole value that is a name is a host. */
function hostMention(
  env: Readonly<Record<string, string>>,
  key: string,
  value: string,
  known: ReadonlySet<string>,
): Mention[] {
  if (!known.has(value)) return [];
  const match = /^(.*?)(?:_?(?:HOST|HOSTNAME|SERVER|ADDR|ADDRESS))$/i.exec(key);
  if (!match) return [];
  const stem = match[1] as string;
  const port = Number(env[`${stem}_PORT`] ?? env[`${stem}PORT`]);
  return [{ name: value, ...(Number.isInteger(port) && port > 0 && port < 65_536 ? { port } : {}) }];
}
