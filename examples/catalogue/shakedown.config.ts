/** A controller and a worker with sixty requirements: the trials cover a few, the others are deferred, each with a reason. */
import { defineSystem, ref } from 'shakedown';

export default defineSystem({
  name: 'catalogue',
  trials: 'trials/**',
  requirements: 'requirements.yaml',
  isolation: 'shared', // every trial opens sessions of its own
  settle: '100ms',

  matrix: { store: ['memory', 'disk'] },

  services: {
    worker: {
      run: ['node', 'src/worker.ts'],
      listen: { env: 'PORT' },
      env: { STORE: '${matrix.store}', FILES_FOLDER: ref('self.dir') },
      ready: { http: '/health' },
    },
    controller: {
      run: ['node', 'src/controller.ts'],
      listen: { env: 'PORT' },
      env: { WORKER_URL: ref('worker.url'), API_KEY: 'key-of-the-team', DEFECT: '${env.DEFECT:-}' },
      ready: { http: '/health' },
    },
  },

  gates: {
    pr: { priority: ['p0'], skips: 'forbid', requirements: { covered: ['p0'], drift: 'warn' } },
    nightly: { skips: 'forbid', requirements: { covered: ['p0', 'p1'], drift: 'fail' } },
    weekly: { skips: 'forbid', requirements: { covered: ['p0', 'p1', 'p2'], drift: 'fail' } },
    // No requirement may be deferred.
    release: {
      skips: 'forbid',
      requirements: { covered: ['p0', 'p1', 'p2'], deferred: 'forbid', drift: 'fail' },
    },
  },
});
