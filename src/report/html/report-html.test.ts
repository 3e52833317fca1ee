import { describe, expect, test } from 'vitest';
import { inlineScript, inlineStyle } from './report-html.ts';

describe('what is between the tags', () => {
  test('a script does not end its element, and says the same', () => {
    const script = 'globalThis.said = "</SCRIPT><!--" + `</script>` + /<\\/script>/.source;\r\n';
    const inline = inlineScript(script);
    expect(inline).not.toMatch(/<\/script|<!--|\r/i);
    const said = (text: string): unknown => new Function(`${text}; return globalThis.said;`)();
    expect(said(inline)).toBe(said(script));
  });

  test('a style does not end its element', () => {
    expect(inlineStyle('a::after { content: "</style>"; }')).toBe('a::after { content: "\\3c /style>"; }');
  });
});
