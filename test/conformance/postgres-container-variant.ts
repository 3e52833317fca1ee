/** The container variant of the postgres resource, with an image that is made here. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ContainerHost, openContainerHost } from '../../src/environment/containers/container-host.ts';
import { startResourceContainer } from '../../src/environment/containers/resource-container.ts';
import { openLedger, readLedger } from '../../src/environment/containment/ledger.ts';
import { sweepEngines } from '../../src/environment/containment/sweep-engine.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { uniqueLabel } from '../../src/kernel/unique-id.ts';
import { postgresDriver } from '../../src/resources/postgres/driver/postgres-driver.ts';
import { prepareForm } from '../../src/resources/postgres/embedded/embedded-form.ts';
import type { System } from '../../src/system/system.ts';
import { atEngine, postgresImage, removeTestImage } from '../harness/container-image.ts';
import type { ConformanceVariant, Provisioned } from './postgres-conformance.ts';
import { plainSpec } from './postgres-variants.ts';
import { createTestContext } from './resource-context.ts';

/** What an environment has at the engine, for one resource. */
interface Hosted {
  readonly label: string;
  readonly workspace: string;
  readonly containers: ContainerHost;
  close(): Promise<void>;
}

export async function containerVariant(): Promise<ConformanceVariant> {
  const context = createTestContext();
  const { binaries } = await prepareForm(plainSpec, context);
  const image = postgresImage(path.dirname(path.dirname(binaries.postgres)));
  context.clear();
  const hosted: Hosted[] = [];
  const provisioned: Provisioned[] = [];
  return {
    provision: async ({ share = 'database', consumers = [], settings = {} }) => {
      const host = await openHost(image);
      hosted.push(host);
      const own = createTestContext({
        consumers,
        label: host.label,
        startContainer: (options) =>
          startResourceContainer(
            { ...host, clock: systemClock, started: new Set() },
            { ...options, name: plainSpec.name, logFile: own.logFile, signal: own.signal },
          ),
      });
      const resource = await postgresDriver.provision({ ...plainSpec, image, share, settings }, own);
      provisioned.push({ resource, context: own });
      return { resource, context: own };
    },
    leftovers: async () =>
      hosted.flatMap(({ label }) => atEngine(label)).filter((one) => one.startsWith('container ')),
    clear: async () => {
      await Promise.all(provisioned.map(({ resource }) => resource.stop()));
      for (const one of provisioned.splice(0)) one.context.clear();
      await Promise.all(hosted.splice(0).map((host) => host.close()));
    },
    close: async () => removeTestImage(image),
  };
}

async function openHost(image: string): Promise<Hosted> {
  const label = uniqueLabel();
  const workspace = mkdtempSync(path.join(tmpdir(), 'shakedown-hosted-'));
  const ledger = openLedger(workspace, systemClock);
  const resources = [{ ...plainSpec, image }];
  const teardown = { withinMs: 20_000 };
  const system = { jobs: [], services: [], resources, teardown } as unknown as System;
  const needs = { system, ledger, label, workspace, clock: systemClock, hostEnv: process.env };
  const containers = await openContainerHost(needs);
  return {
    ...{ label, workspace, containers },
    close: async () => {
      await containers.close();
      ledger.close();
      const entries = readLedger(workspace);
      await sweepEngines({
        clock: systemClock,
        environment: label,
        runFolder: workspace,
        entries,
        isAfterCrash: false,
      });
      rmSync(workspace, { recursive: true });
    },
  };
}
