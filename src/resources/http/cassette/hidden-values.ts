/** What stands for the secrets that were taken out of a recording, while it is played. */
import { createRedactor, type Redactor } from '../../../journal/redaction.ts';
import { type ExchangeParts, secretsInParts } from './exchange-parts.ts';

type Secrets = Readonly<Record<string, string | undefined>>;

export class HiddenValues {
  readonly #secrets: Secrets;
  readonly #values: Map<string, string>;

  /** `recording` is all of it as a text. */
  constructor(recording: string, secrets: Secrets) {
    this.#secrets = secrets;
    const names = [...recording.matchAll(tokens)].map(([, name = '']) => name);
    this.#values = new Map(names.map((name) => [name, secrets[name] || standIn(name)]));
  }

  /** Takes the same out of a request of now. What a consumer made up for itself is remembered, because an answer may repeat it. */
  redactorFor(parts: ExchangeParts): Redactor {
    const given = new Set([...this.#values.values(), ...Object.values(this.#secrets)]);
    const made = secretsInParts(parts).filter(([, secret]) => !given.has(secret));
    const redactor = createRedactor([...Object.entries(this.#secrets), ...this.#values, ...made]);
    for (const [name, secret] of made) this.#values.set(name, secret);
    return redactor;
  }

  /** A text of the recording as the consumer gets it. */
  show(text: string): string {
    return text.replaceAll(tokens, (token, name: string) => this.#values.get(name) ?? token);
  }

  /** The same for bytes, given and returned as a latin1 text. */
  showBytes(bytes: string): string {
    return bytes.replaceAll(byteTokens, (token, name: string) => {
      const value = this.#values.get(Buffer.from(name, 'latin1').toString());
      return value === undefined ? token : asBytes(value);
    });
  }
}

const tokens = /‹secret:([^›]{1,200})›/g;
const byteTokens = new RegExp(`${asBytes('‹secret:')}(.{1,200}?)${asBytes('›')}`, 'gs');

/** A consumer puts what it got into headers, where only plain characters may stand. */
function standIn(name: string): string {
  return `recorded-${name.replaceAll(/[^\w.-]/g, '-')}`;
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
