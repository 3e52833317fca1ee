/** Reads YAML as plain data; what other readers take for another value is marked as unknown. Pure. */
import { parseAllDocuments, Scalar, visit } from 'yaml';
import { exactScalar, parseExactJson } from '../../kernel/exact-json.ts';
import { notRead } from '../../kernel/not-kept.ts';
import { whyAmbiguous } from './ambiguous-scalar.ts';

/** The values of several documents, in evidence a list. */
export class YamlDocuments extends Array<unknown> {}

/** The value of the one document, or those of several. */
export function parseYaml(text: string): unknown {
  const documents = parseAllDocuments(text, { logLevel: 'silent', merge: true });
  const values = documents.map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    visit(document, {
      Scalar: (place, node) => {
        node.value = place === 'key' ? keyIn(node) : valueIn(node);
      },
    });
    // Dates and circular aliases are not plain data; they are converted or refused here.
    return parseExactJson(JSON.stringify(document.toJS() ?? null)) as unknown;
  });
  return values.length > 1 ? YamlDocuments.from(values) : (values[0] ?? null);
}

function keyIn({ value, source }: Scalar): unknown {
  const exact = exactScalar(value, source);
  return isEndless(exact) ? source : exact;
}

function valueIn(node: Scalar): unknown {
  const { value, source = '' } = node;
  const exact = exactScalar(value, source);
  if (isEndless(exact))
    return notRead(
      `\`${source}\` is a number that no pattern can be compared with; check it with \`as: text\``,
    );
  const because = isUntyped(node) ? whyAmbiguous(source) : undefined;
  return because === undefined ? exact : notRead(because);
}

/** Infinite, or not a number. */
function isEndless(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** Neither quotes nor a tag say that it is a text. */
function isUntyped({ type, tag }: Scalar): boolean {
  return type === Scalar.PLAIN && (tag === undefined || /^tag:yaml\.org,2002:(?:bool|int|float)$/.test(tag));
}
