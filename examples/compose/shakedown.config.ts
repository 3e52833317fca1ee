/** The digest from its compose file alone: five containers; only the model, which costs money, is not the real one. */
import { defineSystem, model, ref } from 'shakedown';
import { knownDefect } from './src/defects.ts';

knownDefect(process.env.DEFECT ?? '');

export default defineSystem({
  name: 'digest',
  trials: 'trials/**',
  isolation: 'shared', // each trial is a team of its own
  settle: '400ms', // a program in Python may take a moment between two things that it does
  resources: {
    model: model({
      because: 'a real one costs money, and never gives the same answer twice',
      strict: true,
      models: ['gpt-4o-mini'],
    }),
  },
  compose: {
    files: 'docker-compose.yml',
    services: {
      worker: { env: { OPENAI_BASE_URL: ref('model.openaiUrl'), OPENAI_API_KEY: ref('model.key') } },
    },
  },
});
