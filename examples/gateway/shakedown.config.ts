/** The gateway as a system under test: two scripted providers behind it, an agent with files, two channels in front. */
import { defineSystem, http, model, ref } from 'shakedown';

const because = 'a real one costs money, and never gives the same answer twice';

export default defineSystem({
  name: 'gateway',
  trials: 'trials/**',
  isolation: 'shared', // each trial has its own users, events and files; services that keep state say restart

  resources: {
    alpha: model({
      because,
      strict: true,
      keys: ['alpha-key'],
      models: ['model-a', 'model-a-large', 'model-b'],
      prices: {
        'model-a': { input: 0.2, output: 0.8 },
        'model-a-large': { input: 1, output: 4 },
        'model-b': { input: 3, output: 15 },
      },
    }),
    beta: model({
      because,
      strict: true,
      keys: ['beta-key'],
      models: ['model-c'],
      prices: { 'model-c': { input: 2, output: 8 } },
    }),
    messenger: http({
      because: 'it would send messages to people',
      standing: [{ on: 'POST /send', answer: { json: { ok: true } } }],
    }),
  },

  services: {
    gateway: {
      run: ['node', 'src/gateway.ts'],
      listen: { env: 'PORT' },
      env: {
        ALPHA_URL: ref('alpha.url'),
        ALPHA_KEY: 'alpha-key',
        BETA_URL: ref('beta.url'),
        BETA_KEY: 'beta-key',
        AGENT_KEYS: 'assistant=key-assistant,intern=key-intern,visitor=key-visitor',
        HEAD_TIMEOUT_MS: 6_000,
        IDLE_TIMEOUT_MS: 2_000,
        RETRY_AFTER_CAP_MS: 2_000,
        DEFECT: '${env.DEFECT:-}',
      },
      ready: { http: '/health' },
    },

    files: {
      run: ['node', 'src/files.ts'],
      listen: { env: 'PORT' },
      env: { FILES_FOLDER: ref('self.dir'), DEFECT: '${env.DEFECT:-}' },
      files: {
        'notes/today.md': { text: 'Buy milk.', format: 'text' },
        'notes/plan.md': { text: 'Rest on Sunday.', format: 'text' },
      },
      ready: { http: '/health' },
    },

    agent: {
      run: ['node', 'src/agent.ts'],
      listen: { env: 'PORT' },
      env: {
        GATEWAY_URL: ref('gateway.url'),
        GATEWAY_KEY: 'key-assistant',
        FILES_URL: ref('files.url'),
        CHANNEL_CALLBACK_URL: ref('channel.url'),
        MODEL_TIMEOUT_MS: 15_000,
        TOOL_TIMEOUT_MS: 4_000,
        MODEL: 'fast',
        MOST_ROUNDS: 4,
        DEFECT: '${env.DEFECT:-}',
      },
      ready: { http: '/health' },
    },

    channel: {
      run: ['node', 'src/channel.ts'],
      listen: { env: 'PORT' },
      env: {
        AGENT_URL: ref('agent.url'),
        MESSENGER_URL: ref('messenger.url'),
        WEBHOOK_SECRET: 'hook-secret',
        REPLY_TIMEOUT_MS: 4_000,
        DEFECT: '${env.DEFECT:-}',
      },
      ready: { http: '/health' },
    },

    chat: {
      run: ['node', 'src/chat.ts'],
      listen: { env: 'PORT' },
      env: { AGENT_URL: ref('agent.url'), REPLY_TIMEOUT_MS: 20_000, DEFECT: '${env.DEFECT:-}' },
      ready: { http: '/health' },
      reset: 'stateless',
    },
  },

  // Fields that must be passed on unchanged: the service that changes one is named.
  relays: {
    'gateway-for-agent': {
      incoming: 'agent -> gateway',
      outgoing: ['gateway -> alpha', 'gateway -> beta'],
      same: [
        'request.json.messages',
        'request.json.tools',
        'request.json.tool_choice',
        'request.json.temperature',
        'request.json.max_tokens',
        'request.headers.x-request-id',
        'turn.text',
        'turn.calls',
        'turn.stop',
        'turn.usage',
      ],
    },
    'gateway-for-others': {
      incoming: 'outside -> gateway',
      outgoing: ['gateway -> alpha', 'gateway -> beta'],
      same: [
        'request.json.messages',
        'request.json.tools',
        'request.json.temperature',
        'request.json.max_tokens',
        'request.json.stop',
        'request.json.seed',
        'request.json.response_format',
        'request.headers.x-request-id',
        'turn.text',
        'turn.calls',
        'turn.stop',
      ],
    },
    agent: {
      incoming: 'outside -> agent',
      outgoing: 'agent -> gateway',
      same: ['response.json.text = turn.text'],
    },
    chat: {
      incoming: 'outside -> chat',
      outgoing: 'chat -> agent',
      same: [
        'request.json.user',
        'request.json.text',
        'response.json.outcome',
        'response.json.reply = response.json.text',
      ],
    },
    events: {
      incoming: 'outside -> channel',
      outgoing: 'channel -> agent',
      same: ['request.json.text', 'request.json.from = request.json.user'],
    },
    replies: {
      incoming: 'agent -> channel',
      outgoing: 'channel -> messenger',
      same: ['request.json.text', 'request.json.request_id'],
    },
  },

  settle: '150ms',
  logs: { error: '"level":"ERROR"' },
  boundaries: 'shakedown/boundaries.yaml',
  catalogue: 'shakedown/high-risk.yaml',
  gates: { pr: { priority: ['p0'], skips: 'forbid' } },
});
