/** The desk as a system under test: four programs in Python, a real Redis between them, one database that all share. */
import { defineSystem, http, model, postgres, redis, ref } from 'shakedown';
import { knownDefect } from './src/defects.ts';

knownDefect(process.env.DEFECT ?? '');

const program = (name: string) => ({ python: 'bin/python', script: `src/${name}.py` });
const env = {
  DATABASE_URL: ref('db.url'),
  REDIS_URL: ref('redis.url'),
  DEFECT: '${env.DEFECT:-}',
};

export default defineSystem({
  name: 'desk',
  trials: 'trials/**',
  isolation: 'shared', // each trial has customers, orders and tickets of its own
  settle: '400ms', // a program in Python may take a moment between two things that it does

  resources: {
    db: postgres(),
    redis: redis(),
    model: model({
      because: 'a real one costs money, and never gives the same answer twice',
      strict: true,
      models: ['gpt-4o-mini'],
    }),
    mailer: http({
      because: 'the real one writes to people',
      standing: [{ on: 'POST /messages', answer: { status: 202, json: { queued: true } } }],
    }),
  },

  jobs: {
    migrate: {
      run: program('migrate'),
      env: { DATABASE_URL: ref('db.url') },
      inputs: ['migrations/**', 'src/{migrate,program}.py'],
    },
  },

  services: {
    tools: {
      run: program('tools'),
      listen: { env: 'PORT' },
      env: { DATABASE_URL: ref('db.url'), DEFECT: '${env.DEFECT:-}' },
      after: ['migrate'],
      ready: { http: '/health' },
    },
    api: {
      run: program('api'),
      listen: { env: 'PORT' },
      env,
      after: ['migrate'],
      ready: { http: '/health' },
    },
    worker: {
      run: program('worker'),
      env: {
        ...env,
        TOOLS_URL: ref('tools.url'),
        OPENAI_BASE_URL: ref('model.openaiUrl'),
        OPENAI_API_KEY: ref('model.key'),
      },
      after: ['migrate', 'tools'],
      ready: { log: 'the worker is ready' },
    },
    notifier: {
      run: program('notifier'),
      env: { ...env, MAILER_URL: ref('mailer.url') },
      after: ['migrate'],
      ready: { log: 'the notifier is ready' },
    },
  },
});
