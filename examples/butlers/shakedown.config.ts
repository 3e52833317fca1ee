/** The butlers as a system under test: one database, one migration, a switchboard, and a butler for every folder of the roster. */
import { defineSystem, postgres, ref } from 'shakedown';

export default defineSystem({
  name: 'butlers',
  trials: 'trials/**',

  resources: {
    db: postgres({ schemaPerService: true }),
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
    // Simulated on the wire, because the real provider costs money and never answers twice the same.
    model: {
      run: ['node', 'src/scripted-model.ts'],
      listen: { env: 'PORT' },
      ready: { http: '/health' },
      reset: 'stateless',
    },

    switchboard: {
      run: ['node', 'src/switchboard.ts'],
      listen: { env: 'PORT' },
      env: {
        DATABASE_URL: ref('db.url'),
        ANTHROPIC_BASE_URL: ref('model.url'),
        BUTLERS: ref('butlers.*.url'), // name=url,name=url
        DEFECT: '${env.DEFECT:-}', // one of src/defects.ts: a mistake to be found
      },
      after: ['migrate', 'butlers'],
      ready: { http: '/health', within: '15s' },
      reset: 'restart', // keeps its lines to the butlers in memory
    },
  },

  rosters: {
    butlers: {
      each: 'roster/*/butler.toml',
      name: '${it.butler.name}',
      service: {
        run: ['node', 'src/butler.ts', '${it.folder}'],
        listen: { env: 'PORT' },
        env: {
          DATABASE_URL: ref('db.url'),
          ANTHROPIC_BASE_URL: ref('model.url'),
          DEFECT: '${env.DEFECT:-}',
        },
        after: ['migrate'],
        ready: { http: '/health', json: { status: { $any: ['ok', 'degraded'] } } },
        reset: 'restart', // keeps the sessions of its MCP clients in memory
      },
    },
  },

  secrets: ['ANTHROPIC_API_KEY', 'TELEGRAM_TOKEN', 'EMAIL_PASSWORD', 'CALENDAR_TOKEN'],
  logs: { error: '\\b(ERROR|FATAL)\\b|Traceback' },
});
