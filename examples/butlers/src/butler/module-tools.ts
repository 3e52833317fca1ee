/** What the modules can do once they have their credential: one call to the outside each. */
import { z } from 'zod';
import type { Module, ModuleAccess } from './modules.ts';
import type { Tool } from './tool.ts';

const timeoutMs = 10_000;
const sender = 'butlers@butlers.example';
const json = { 'content-type': 'application/json' };

/** The tools of the modules that are on. */
export function moduleTools(modules: readonly Module[]): Tool[] {
  return modules.flatMap(({ name, access }) => {
    const make = makers[name];
    return access === undefined || make === undefined ? [] : [make(access)];
  });
}

const makers: Readonly<Record<string, (access: ModuleAccess) => Tool>> = {
  telegram: ({ url, credential }) => ({
    name: 'telegram_send',
    description: 'Send a message through Telegram.',
    fields: { chat_id: z.string().min(1), text: z.string().min(1).max(4_096) },
    run: (fields) =>
      send(`${url}/bot${credential}/sendMessage`, { headers: json, body: JSON.stringify(fields) }),
  }),
  email: ({ url, credential }) => ({
    name: 'email_send',
    description: 'Send an email.',
    fields: { to: z.email(), subject: z.string().min(1).max(200), text: z.string().min(1) },
    run: (fields) =>
      send(`${url}/messages`, {
        headers: { authorization: `Basic ${Buffer.from(`api:${credential}`).toString('base64')}` },
        body: new URLSearchParams({ ...fields, from: sender }),
      }),
  }),
  calendar: ({ url, credential }) => ({
    name: 'calendar_add',
    description: 'Add an event to the calendar.',
    fields: { summary: z.string().min(1), start: z.iso.datetime(), end: z.iso.datetime() },
    run: ({ summary, start, end }) =>
      send(`${url}/calendars/primary/events`, {
        headers: { ...json, authorization: `Bearer ${credential}` },
        body: JSON.stringify({ summary, start: { dateTime: start }, end: { dateTime: end } }),
      }),
  }),
};

async function send(
  url: string,
  request: { headers: Record<string, string>; body: string | URLSearchParams },
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    ...request,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${text.slice(0, 200)}`);
  return text.slice(0, 1_000);
}
