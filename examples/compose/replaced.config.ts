/** The same digest without a container: stores and programs of this machine stand in for the services of the compose file. */
import { defineSystem, model, ref } from 'shakedown';
import { knownDefect } from './src/defects.ts';

knownDefect(process.env.DEFECT ?? '');

const program = (name: string) => ['../desk/bin/python', `src/${name}.py`];
const stores = { DATABASE_URL: ref('db.url'), REDIS_URL: ref('redis.url'), DEFECT: '${env.DEFECT:-}' };

export default defineSystem({
  name: 'digest-replaced',
  trials: 'trials/**',
  isolation: 'shared',
  settle: '400ms',
  resources: {
    model: model({
      because: 'a real one costs money, and never gives the same answer twice',
      strict: true,
      models: ['gpt-4o-mini'],
    }),
  },
  compose: 'docker-compose.yml',
  replace: { db: 'postgres', redis: 'redis', web: 'web', worker: 'worker', migrate: 'migrate' },
  jobs: {
    migrate: {
      run: program('migrate'),
      env: { DATABASE_URL: ref('db.url'), DEFECT: '${env.DEFECT:-}' },
      inputs: ['src/{migrate,program}.py'],
    },
  },
  services: {
    web: {
      run: program('web'),
      listen: { env: 'PORT' },
      env: { ...stores, HOST: '127.0.0.1' },
      after: ['migrate'],
      ready: { http: '/health' },
    },
    worker: {
      run: program('worker'),
      env: { ...stores, OPENAI_BASE_URL: ref('model.openaiUrl'), OPENAI_API_KEY: ref('model.key') },
      after: ['migrate'],
      ready: { log: 'the worker is ready' },
    },
  },
});
