/** Provisions an embedded server as the current user, prints the result as one line of JSON, and leaves nothing. */
import { Client } from 'pg';
import { postgresDriver } from '../../src/resources/postgres/driver/postgres-driver.ts';
import { findPackage, linkLibraries } from '../../src/resources/postgres/embedded/embedded-form.ts';
import { plainSpec } from './postgres-variants.ts';
import { createTestContext } from './resource-context.ts';

const [native, spareFolder] = process.argv.slice(2);

if (native !== undefined && spareFolder !== undefined) {
  console.log(JSON.stringify(await linkLibraries(native, spareFolder)));
} else {
  const context = createTestContext();
  try {
    await findPackage('here', []);
    const resource = await postgresDriver.provision(plainSpec, context);
    const { url } = resource.references({ kind: 'job', name: 'look' }, resource.endpoint);
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT current_user AS role, 1 AS one');
    await client.end();
    await resource.stop();
    console.log(
      JSON.stringify({
        uid: process.getuid?.(),
        rows,
        left: context.processesLeft(),
        argv: context.started.at(-1)?.argv[0],
      }),
    );
  } finally {
    context.clear();
  }
}
