/** The placeholders for the secrets that were removed from a recording, while it is played. */
import { asSent, bytesAsSent } from '../../../journal/outside-text.ts';
import { createRedactor, type Redactor, showSecrets } from '../../../journal/redaction.ts';
import type { Variables } from '../../resource.ts';
import { type ExchangeParts, secretsInParts } from './exchange-parts.ts';

export class HiddenValues {
  readonly #secrets: Variables;
  readonly #values: Map<string, string>;
  #redactor: Redactor;

  /** `recording` is all of it as a text. */
  constructor(recording: string, secrets: Variables) {
    this.#secrets = secrets;
    const names = [...recording.matchAll(tokens)].map(([, name = '']) => name);
    this.#values = new Map(names.map((name) => [name, secrets[name] || standIn(name)]));
    this.#redactor = createRedactor([...Object.entries(secrets), ...this.#values]);
  }

  /** Takes the same out of a request of now. What a consumer made up for itself is remembered, because an answer may repeat it. */
  redactorFor(parts: ExchangeParts): Redactor {
    const given = new Set([...this.#values.values(), ...Object.values(this.#secrets)]);
    const made = secretsInParts(parts).filter(([, secret]) => !given.has(secret));
    if (made.length === 0) return this.#redactor;
    const redactor = createRedactor([...Object.entries(this.#secrets), ...this.#values, ...made]);
    for (const [name, secret] of made) this.#values.set(name, secret);
    this.#redactor = createRedactor([...Object.entries(this.#secrets), ...this.#values]);
    return redactor;
  }

  /** A text of the recording as the consumer gets it. */
  show(text: string): string {
    return asSent(this.#filled(text));
  }

  /** The same for bytes, given and returned as a latin1 text. */
  showBytes(bytes: string): string {
    const filled = bytes.replaceAll(byteTokens, (token) =>
      asBytes(this.#filled(Buffer.from(token, 'latin1').toString())),
    );
    return bytesAsSent(filled);
  }

  #filled(text: string): string {
    return showSecrets(text, (name) => this.#values.get(name));
  }
}

const tokens = /‹secret:([^›:]{1,200})(?::[^›]{1,200})?›/g;
const byteTokens = new RegExp(`${asBytes('‹secret:')}.{1,400}?${asBytes('›')}`, 'gs');

/** A consumer puts what it got into headers, which allow only plain characters. None is a substring of another. */
function standIn(name: string): string {
  return `recorded-${name.replaceAll(/[^\w.-]/g, '-')}-value`;
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
