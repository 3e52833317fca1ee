/** The rules by which the stand-in model chooses its tool calls: what a sentence says, and which tools it is offered. */
import type { ToolDefinition } from '../../src/model/messages.ts';

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export function chooseCalls(text: string, tools: readonly ToolDefinition[]): Call[] {
  const route = tools.find(({ name }) => name === 'route_to_butler');
  return route === undefined ? chooseTools(text, tools) : chooseButlers(text, butlersOf(route));
}

/** Which butler is meant; the first rule that fits decides. */
const butlerRules: readonly [string, RegExp][] = [
  ['finance', /\b(spent|paid|cost|bill|invoice|rent)\b/i],
  ['health', /\b(headache|pain|hurts?|cough|fever|nausea|dizzy|severity|weigh|weight|pulse|temperature)\b/i],
  ['relationship', /\b(met|called|wrote to|birthday|contact|sister|brother|friend|colleague|neighbour)\b/i],
  ['home', /\b(turn|switch|light|lamp|thermostat|heating|chore|clean|fix|water the)\b/i],
];

/** One call for each butler, with its part of the message; a message that begins with `name:` names its butler. */
function chooseButlers(text: string, butlers: readonly string[]): Call[] {
  const named = butlers.find((butler) => text.toLowerCase().startsWith(`${butler}:`));
  if (named !== undefined) return [routeTo(named, text.slice(named.length + 1).trim())];

  const parts = new Map<string, string[]>();
  let butler = 'general';
  for (const clause of clausesOf(text)) {
    butler = butlerRules.find(([, words]) => words.test(clause))?.[0] ?? butler;
    parts.set(butler, [...(parts.get(butler) ?? []), clause]);
  }
  const chosen = [...parts].filter(([name]) => butlers.includes(name));
  if (chosen.length === 1 && parts.size === 1) return chosen.map(([name]) => routeTo(name, text));
  return chosen.map(([name, clauses]) => routeTo(name, clauses.join('. ')));
}

function routeTo(butler: string, text: string): Call {
  return { name: 'route_to_butler', input: { butler, text } };
}

function butlersOf(route: ToolDefinition): readonly string[] {
  const schema = route.input_schema as { properties?: { butler?: { enum?: readonly string[] } } };
  return schema.properties?.butler?.enum ?? [];
}

interface ToolRule {
  readonly tool: string;
  readonly words: RegExp;
  input(match: RegExpExecArray, clause: string): Readonly<Record<string, unknown>>;
}

const toolRules: readonly ToolRule[] = [
  {
    tool: 'symptom_log',
    words: /\b(headache|cough|fever|nausea|(?:\w+ pain)|(?:\w+ hurts?))\b/i,
    input: ([, name], clause) => ({
      name: name?.toLowerCase().replace(/ hurts?$/, ' pain'),
      severity: Number(/severity (?:of )?(\d+)/i.exec(clause)?.[1] ?? 5),
    }),
  },
  {
    tool: 'measurement_log',
    words: /\b(weigh|weight|pulse|temperature)\D*(\d+(?:\.\d+)?)\s*(kg|bpm|°C|C)?/i,
    input: ([, kind, value, unit]) => {
      const known = { weigh: ['weight', 'kg'], weight: ['weight', 'kg'], pulse: ['pulse', 'bpm'] };
      const [name, usual] = known[kind?.toLowerCase() as keyof typeof known] ?? ['temperature', '°C'];
      return { kind: name, value: Number(value), unit: unit ?? usual };
    },
  },
  {
    tool: 'expense_add',
    words: /\b(?:spent|paid)\D*(\d+(?:\.\d+)?)\s*(euros?|eur|dollars?|usd)?(?:\s+(?:on|for)\s+([^,.]+))?/i,
    input: ([, amount, currency, item]) => ({
      amount: Number(amount),
      currency: /^(dollar|usd)/i.test(currency ?? '') ? 'USD' : 'EUR',
      item: item?.trim() ?? 'something',
    }),
  },
  {
    tool: 'bill_add',
    words: /\b(\w+) bill\D*(\d+(?:\.\d+)?)/i,
    input: ([, payee, amount]) => ({ payee, amount: Number(amount), currency: 'EUR' }),
  },
  {
    tool: 'interaction_log',
    words: /\b(met|called|wrote)(?: to)?(?: with)? (?:my \w+ )?([A-Z]\w+)/,
    input: ([, kind, contact], clause) => ({ kind, contact, summary: clause }),
  },
  {
    tool: 'contact_add',
    words: /\b(?:my (\w+) ([A-Z]\w+)|contact ([A-Z]\w+))/,
    input: ([, relation, name, other]) => ({ name: name ?? other, ...(relation ? { relation } : {}) }),
  },
  {
    tool: 'device_set',
    words:
      /\b(?:turn|switch|set)(?: (on|off))? (?:the )?([\w ]*?(?:light|lamp|thermostat|heating))(?: to)?\s*([\w° ]*)/i,
    input: ([, state, device, setting]) => ({ device, setting: state ?? (setting?.trim() || 'on') }),
  },
  {
    tool: 'chore_add',
    words: /\b((?:clean|fix|water) .+|chore:? .+)/i,
    input: ([, title]) => ({ title: title?.replace(/^chore:? /i, '') }),
  },
  { tool: 'reminder_add', words: /\bremind me (?:to |of )?(.+)/i, input: ([, text]) => ({ text }) },
  {
    tool: 'note_add',
    words: /\b(?:note|remember|write down)(?: that|:)? (.+)/i,
    input: ([, text]) => ({ text }),
  },
];

/** One call for each statement. `tool_name key=value key=value` calls any tool by its name. */
function chooseTools(text: string, tools: readonly ToolDefinition[]): Call[] {
  const named = tools.find(({ name }) => text.startsWith(`${name} `));
  if (named !== undefined) return [{ name: named.name, input: readPairs(text) }];
  const offered = toolRules.filter((rule) => tools.some(({ name }) => name === rule.tool));
  return thingsOf(text).flatMap((thing) => {
    for (const rule of offered) {
      const match = rule.words.exec(thing);
      if (match !== null) return [{ name: rule.tool, input: rule.input(match, thing) }];
    }
    return [];
  });
}

/** `plant=roses litres=2` as an object; numbers are numbers. */
function readPairs(text: string): Record<string, unknown> {
  const pairs = text.matchAll(/(\w+)=("[^"]*"|\S+)/g);
  return Object.fromEntries(
    [...pairs].map(([, key, raw = '']) => {
      const value = raw.replace(/^"|"$/g, '');
      return [key, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
    }),
  );
}

function clausesOf(text: string): string[] {
  return text.split(/[.;!?\n]+(?:\s+|$)|,?\s+and\s+/).filter((clause) => clause.trim() !== '');
}

/** A clause with its own number or name is a statement of its own; "severity 7" belongs to the clause before it. */
function thingsOf(text: string): string[] {
  const things: string[] = [];
  for (const clause of clausesOf(text)) {
    if (/^\s*severity/i.test(clause) && things.length > 0) things.push(`${things.pop()}, ${clause}`);
    else things.push(clause);
  }
  return things;
}
