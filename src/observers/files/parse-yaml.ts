/** Reads YAML as plain data. Pure. */
import { parseAllDocuments, visit } from 'yaml';
import { exactScalar, parseExactJson } from '../../kernel/exact-json.ts';

/** The value of the one document, or a list of values when there are several. */
export function parseYaml(text: string): unknown {
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const values = documents.map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    visit(document, {
      Scalar: (_, node) => {
        const value = exactScalar(node.value, node.source);
        node.value = typeof value === 'number' && !Number.isFinite(value) ? node.source : value;
      },
    });
    // Dates and circular aliases are not plain data; they are converted or refused here.
    return parseExactJson(JSON.stringify(document.toJS() ?? null)) as unknown;
  });
  return values.length > 1 ? values : (values[0] ?? null);
}
