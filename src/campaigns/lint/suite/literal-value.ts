/** What stands plainly in the code: texts, numbers, lists and maps of these, with a mark where a value is computed. */
import type { AnyNode } from './scan-module.ts';

/** Stands for a value that is known only when it runs. A reference in a trial file is one, too. */
export const openValue: unique symbol = Symbol('open');

export function literalOf(node: AnyNode | undefined | null): unknown {
  switch (node?.type) {
    case 'Literal':
      return 'regex' in node ? openValue : node.value;
    case 'TemplateLiteral':
      return templateText(node);
    case 'ArrayExpression':
      return (node.elements as (AnyNode | null)[]).map(literalOf);
    case 'ObjectExpression':
      return objectOf(node);
    default:
      return openValue;
  }
}

/** Whether a value, or a text with a reference in it, cannot be known before it runs. */
export function isOpen(value: unknown): boolean {
  return value === openValue || (typeof value === 'string' && value.includes('${'));
}

function templateText({ quasis, expressions }: AnyNode): unknown {
  const [only] = quasis as { readonly value: { readonly cooked: string } }[];
  return (expressions as unknown[]).length === 0 ? (only?.value.cooked ?? '') : openValue;
}

/** What is spread into a map may bring any key. */
function objectOf({ properties }: AnyNode): unknown {
  const entries = (properties as AnyNode[]).map((property) => {
    if (property.type !== 'Property' || property.computed === true) return undefined;
    const { name, value } = property.key as AnyNode;
    return [String(name ?? value), literalOf(property.value as AnyNode)] as const;
  });
  if (entries.includes(undefined)) return openValue;
  return Object.fromEntries(entries as [string, unknown][]);
}
