/** The daemon as a system under test: its setup as a job, two scripted providers, a scripted messenger, and the daemon itself. */
import { defineSystem, http, model, ref } from 'shakedown';

const because = 'a real one costs money, and never gives the same answer twice';
const price = { input: 0.2, output: 0.8 }; // US dollars for a million tokens

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

  resources: {
    'provider-a': model({ because, keys: ['key-of-a'], models: ['large'], prices: { large: price } }),
    'provider-b': model({ because, keys: ['key-of-b'], models: ['small'], prices: { small: price } }),

    messenger: http({
      because: 'the real one brings messages to people',
      standing: [
        { on: 'POST /webhooks', answer: { status: 201, json: { id: 'wh-1' } } },
        { on: 'DELETE /webhooks/wh-1', answer: { status: 204 } },
      ],
      callbacks: { hooks: ref('daemon.hooks.url') },
      // `shakedown record --resource messenger` passes requests without a scripted answer to the real one, and keeps its answers.
      upstream: { url: '${env.MESSENGER_API:-https://messenger.example}', key: 'MESSENGER_KEY' },
    }),
  },

  services: {
    daemon: {
      run: ['node', 'src/daemon.ts'],
      listen: [
        { env: 'PORT', scheme: 'tcp' },
        { name: 'hooks', env: 'HOOKS_PORT' },
      ],
      env: {
        DAEMON_DATA: `${ref('self.dir')}/../../setup/dir`, // the folder into which the job wrote
        DAEMON_STATE: ref('self.dir'),
        PROVIDERS: 'provider-a,provider-b',
        PROVIDER_A_URL: ref('provider-a.openaiUrl'),
        PROVIDER_A_KEY: 'key-of-a',
        PROVIDER_A_MODEL: 'large',
        PROVIDER_A_STREAM: true,
        PROVIDER_A_TIMEOUT_MS: 1_500,
        PROVIDER_B_URL: ref('provider-b.openaiUrl'),
        PROVIDER_B_KEY: 'key-of-b',
        PROVIDER_B_TIMEOUT_MS: 1_500,
        MESSENGER_URL: ref('messenger.url'),
        MESSENGER_TOKEN: 'token-of-the-bot',
        MESSENGER_TIMEOUT_MS: 1_500,
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

  settle: '100ms',
  // A warning is an error here, too, unless its trial allows it.
  logs: { error: '^(WARN|ERROR|FATAL)\\b' },
});
