/** Reads XML as plain data: elements as maps, `@name` for attributes, `#text` for text beside them. Pure. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Values stay texts, as they are in the file; an element that comes several times is a list. */
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
  });
  return parser.parse(text) as unknown;
}
