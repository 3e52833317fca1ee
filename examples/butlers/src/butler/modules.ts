/** Each module calls an external service and needs a credential; without it the module is off and the butler keeps working. */
import { log } from '../daemon/log.ts';

export interface Module {
  readonly name: string;
  /** The address of its service, and its credential; undefined when the module is off. */
  readonly access?: ModuleAccess;
  readonly because?: string;
}

export interface ModuleAccess {
  readonly url: string;
  readonly credential: string;
}

const known: Readonly<Record<string, { credential: string; address: string; otherwise: string }>> = {
  telegram: {
    credential: 'TELEGRAM_TOKEN',
    address: 'TELEGRAM_API_URL',
    otherwise: 'https://api.telegram.org',
  },
  email: {
    credential: 'EMAIL_PASSWORD',
    address: 'EMAIL_API_URL',
    otherwise: 'https://api.mailgun.net/v3/butlers.example',
  },
  calendar: {
    credential: 'CALENDAR_TOKEN',
    address: 'CALENDAR_API_URL',
    otherwise: 'https://www.googleapis.com/calendar/v3',
  },
};

export function openModules(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Module[] {
  return names.map((name) => {
    const kind = known[name];
    if (kind === undefined) {
      throw new Error(`there is no module "${name}": known are ${Object.keys(known).join(', ')}`);
    }
    const credential = env[kind.credential];
    if (credential) return { name, access: { credential, url: env[kind.address] ?? kind.otherwise } };
    log.warn(`module ${name} is off: ${kind.credential} is not set`);
    return { name, because: `${kind.credential} is not set` };
  });
}
