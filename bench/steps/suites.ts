/** The same suite, requests with three checks each, in the language of every contestant. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export function writeSuites(folder: string, steps: number): void {
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const each = (line: (n: number) => string): string =>
    Array.from({ length: steps }, (_, n) => line(n)).join('');
  put('shakedown.yaml', shakedownConfig);
  put(
    'trials/steps.trial.yaml',
    `id: bench/steps\nsettle: 1ms\nisolation: shared\ntimeout: 120s\nsteps:\n${each(
      (n) =>
        `  - http: GET web/n/${n}\n    expect: { status: 200, json: { n: ${n} }, headers: { content-type: application/json } }\n`,
    )}`,
  );
  put(
    'steps.hurl',
    each(
      (n) =>
        `GET {{url}}/n/${n}\nHTTP 200\n[Asserts]\njsonpath "$.n" == ${n}\nheader "Content-Type" == "application/json"\n\n`,
    ),
  );
  put(
    'steps.venom.yml',
    `name: steps\ntestcases:\n- name: steps\n  steps:\n${each(
      (n) =>
        `  - type: http\n    method: GET\n    url: "{{.url}}/n/${n}"\n    assertions:\n    - result.statuscode ShouldEqual 200\n    - result.bodyjson.n ShouldEqual ${n}\n    - result.headers.Content-Type ShouldEqual application/json\n`,
    )}`,
  );
  put(
    'steps.runn.yml',
    `desc: steps\nrunners:\n  web: \${URL}\nsteps:\n${each(
      (n) =>
        `  - web:\n      /n/${n}:\n        get:\n          body: null\n    test: |\n      current.res.status == 200 && current.res.body.n == ${n} && current.res.headers["Content-Type"][0] == "application/json"\n`,
    )}`,
  );
  put(
    'playwright/steps.spec.js',
    `import { expect, test } from '@playwright/test';\ntest('steps', async ({ request }) => {\n  test.setTimeout(120_000);\n  for (let n = 0; n < ${steps}; n += 1) {\n    const answer = await request.get(\`\${process.env.URL}/n/\${n}\`);\n    expect(answer.status()).toBe(200);\n    expect((await answer.json()).n).toBe(n);\n    expect(answer.headers()['content-type']).toBe('application/json');\n  }\n});\n`,
  );
  put('promptfoo.yaml', promptfoo(steps));
}

const shakedownConfig = `name: steps
services:
  web:
    run: [node, server.mjs]
    listen: { env: PORT }
    ready: { http: /n/0 }
`;

function promptfoo(steps: number): string {
  const tests = Array.from(
    { length: steps },
    (_, n) =>
      `  - vars: { n: ${n} }\n    assert:\n      - { type: is-json }\n      - { type: javascript, value: "JSON.parse(output).n === ${n}" }\n      - { type: contains, value: hello }\n`,
  );
  return `prompts: ["{{n}}"]\nproviders:\n  - id: http\n    config: { url: "{{env.URL}}/n/{{n}}", method: GET, transformResponse: "text" }\ntests:\n${tests.join('')}`;
}
