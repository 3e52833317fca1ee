/** A running scripted model for third-party clients; keeps the answers as they were sent over the wire. */
import { expect } from 'vitest';
import { makeProject, type Project } from '../harness/project.ts';

export interface PlayedModel {
  readonly url: string;
  readonly project: Project;
  /** Passes on to the model, and keeps what it answers. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The JSON of an answer, or the data of its events, by the order of the calls. */
  readonly answers: WireAnswer[];
}

export interface WireAnswer {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const config = `name: clients
resources:
  model:
    kind: model
    strict: true
    keys: [sk-right]
    standing:
      "*":
        - { when: { asks: embedding, text: too much }, error: { status: 429, retryAfter: 0 } }
        - { when: { asks: embedding, text: as told }, embeds: [[0.6, 0.8]], usage: { input: 7, output: 0 } }
        - { when: { asks: count, text: as told }, usage: { input: 1234, output: 0 } }
        - { when: { results: [{ text: { $contains: "15" } }] }, says: It is mild. }
        - { when: { results: [{ text: { $contains: "15" } }, { text: { $contains: "15" } }] }, says: It is mild. }
        - { when: { text: How is the weather?, results: [] }, reasons: "Let me look outside, carefully.", calls: { get_weather: { city: Basel } } }
        - { when: { text: How is it everywhere?, results: [] }, calls: [{ name: get_weather, args: { city: Basel } }, { name: get_weather, args: { city: Bern } }] }
        - { when: { text: Think in secret. }, hides: nobody may read this, says: I thought. }
        - { when: { text: Think. }, reasons: One and one is two., says: Two. }
        - { when: { text: As JSON. }, says: '{"city":"Basel","degrees":15}' }
        - { when: { text: As a tree. }, says: '{"left":1,"right":2}' }
        - { when: { text: Hello }, says: Hello to you. }
        - { when: { text: Stop there. }, says: So far, stop: stop-sequence }
        - { when: { text: Run it., results: [] }, calls: { code: { input: print(1) } } }
        - { when: { text: Too fast }, error: { status: 429, retryAfter: 0 } }
services:
  idle: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { NAME: idle, MODEL: "\${model.url}" } }
`;

export async function playModel(): Promise<PlayedModel> {
  const project = makeProject({ 'shakedown.yaml': config });
  const up = await project.run(['up', '--detach']);
  expect(up.code, up.output).toBe(0);
  const { resources } = JSON.parse((await project.run(['status', '--json'])).stdout);
  const { url } = resources.find(({ name }: { name: string }) => name === 'model');
  const answers: WireAnswer[] = [];
  return {
    url,
    project,
    answers,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const text = await response.clone().text();
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      answers.push({ path: pathname, status: response.status, headers: response.headers, text });
      return response;
    },
  };
}

export const weather = {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const } },
    required: ['city'],
  },
};

export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
