/** The butlers as a system under test: one database, one migration, a switchboard, and a butler for every folder of the roster. */
import { defineSystem, model, postgres, ref, telemetry } from 'shakedown';

/** The environment of every service: the addresses of the others, and one of src/defects.ts. */
const env = {
  DATABASE_URL: ref('db.url'),
  ANTHROPIC_BASE_URL: ref('model.url'),
  ANTHROPIC_API_KEY: ref('model.key'),
  OTEL_EXPORTER_OTLP_ENDPOINT: ref('traces.url'),
  BUTLERS: ref('butlers.*.url'), // name=url,name=url; a butler calls its own tools there, too
  DEFECT: '${env.DEFECT:-}',
};

export default defineSystem({
  name: 'butlers',
  trials: 'trials/**',

  resources: {
    db: postgres({ schemaPerService: true }),
    model: model({
      mode: 'script',
      because: 'a real one costs money, and never gives the same answer twice',
      strict: true, // a history that the real one would refuse is refused
      models: ['claude-haiku-4-5'],
      prices: { 'claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1 } }, // for a million tokens
      upstreams: {
        anthropic: {
          url: '${env.ANTHROPIC_UPSTREAM_URL:-https://api.anthropic.com}',
          key: 'ANTHROPIC_API_KEY',
        },
      },
      budget: { usd: 0.5 }, // with `--model live` or `record`
    }),
    traces: telemetry(),
  },

  jobs: {
    migrate: {
      run: ['node', 'scripts/migrate.ts'],
      env: { DATABASE_URL: ref('db.url'), DEFECT: '${env.DEFECT:-}' },
      inputs: [
        'migrations/**',
        'roster/*/migrations/**',
        'roster/*/butler.toml',
        'scripts/migrate.ts',
        'src/{manifest,defects}.ts',
        'src/daemon/**',
      ],
    },
  },

  services: {
    switchboard: {
      run: ['node', 'src/switchboard.ts'],
      listen: { env: 'PORT' },
      env,
      after: ['migrate', 'butlers'],
      ready: { http: '/health', within: '15s' },
      reset: 'restart', // keeps its connections to the butlers in memory
    },
  },

  rosters: {
    butlers: {
      each: 'roster/*/butler.toml',
      name: '${it.butler.name}',
      service: {
        run: ['node', 'src/butler.ts', '${it.folder}'],
        listen: { env: 'PORT' },
        env,
        after: ['migrate'],
        ready: { http: '/health', json: { status: { $any: ['ok', 'degraded'] } } },
        reset: 'restart', // keeps the sessions of its MCP clients in memory
      },
    },
  },

  secrets: ['ANTHROPIC_API_KEY', 'TELEGRAM_TOKEN', 'EMAIL_PASSWORD', 'CALENDAR_TOKEN'],
  logs: { error: '\\b(ERROR|FATAL)\\b|Traceback' },

  // The manifests declare which tools exist; whether they work is checked on the running butlers.
  suite: { imports: { allow: ['src/manifest.ts'], because: 'it only reads what the manifests declare' } },
});
