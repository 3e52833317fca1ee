/** Reads XML as plain data: elements as maps, `@name` for attributes, `#text` for text next to them. Pure. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Values stay texts, as they are in the file; those of blanks alone are dropped; a repeated element is a list. */
export function parseXml(text: string): unknown {
  const verdict = XMLValidator.validate(text, { allowBooleanAttributes: false });
  if (verdict !== true) {
    const { msg, line, col } = verdict.err;
    throw Object.assign(new Error(msg), { line, column: col });
  }
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#text',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    // Without it, numeric references such as `&#233;` stay as they are written.
    htmlEntities: true,
    trimValues: false,
    tagValueProcessor: (_, value) => (value.trim() === '' ? '' : value),
  });
  return parser.parse(text) as unknown;
}
