/** The daemon as a system under test: its setup as a job, two providers, and the daemon on framed TCP. */
import { defineSystem, ref } from 'shakedown';

export default defineSystem({
  name: 'daemon',
  trials: 'trials/**',

  jobs: {
    setup: {
      run: ['node', 'src/setup.ts'],
      env: { DAEMON_DATA: ref('self.dir') },
      inputs: ['skills/**', 'src/setup.ts', 'src/skills.ts'],
    },
  },

  services: {
    // Simulated on the wire, because real providers cost money and never answer twice the same.
    'provider-a': {
      run: ['node', 'src/provider.ts'],
      listen: { env: 'PORT' },
      env: { PROVIDER_NAME: ref('self.name') },
      ready: { http: '/health' },
      reset: 'stateless',
    },
    'provider-b': {
      run: ['node', 'src/provider.ts'],
      listen: { env: 'PORT' },
      env: { PROVIDER_NAME: ref('self.name') },
      ready: { http: '/health' },
      reset: 'stateless',
    },

    daemon: {
      run: ['node', 'src/daemon.ts'],
      listen: { env: 'PORT', scheme: 'tcp' },
      env: {
        DAEMON_DATA: `${ref('self.dir')}/../../setup/dir`, // the folder into which the job wrote
        DAEMON_STATE: ref('self.dir'),
        PROVIDERS: `provider-a=${ref('provider-a.url')},provider-b=${ref('provider-b.url')}`,
        PROVIDER_TIMEOUT_MS: 1_000,
        SHELL_TIMEOUT_MS: 2_000,
        FRAME_TIMEOUT_MS: 1_500,
        DEFECT: '${env.DEFECT:-}',
      },
      shims: { shell: 'sh' }, // recorded: which commands it really runs
      after: ['setup'],
      ready: {
        handshake: {
          codec: 'hex6-sexp',
          expect: { TYPE: ':EVENT', PAYLOAD: { ACTION: ':HANDSHAKE' } },
        },
      },
      reset: 'restart', // remembers ids, heartbeats and sessions
    },
  },

  settle: '150ms',
  // A warning is an error here, too, unless its trial says that it belongs there.
  logs: { error: '^(WARN|ERROR|FATAL)\\b' },
});
