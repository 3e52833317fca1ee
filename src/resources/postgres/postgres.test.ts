import { test } from 'vitest';
import { postgresConformance } from '../../../test/conformance/postgres-conformance.ts';
import {
  asOrdinaryAdmin,
  embeddedVariant,
  externalVariant,
  installedPostgres,
  startUsersServer,
} from '../../../test/conformance/postgres-variants.ts';
import { cannotRun } from '../../../test/harness/needs.ts';

postgresConformance('embedded', embeddedVariant);

postgresConformance('external, as a superuser', async () => {
  const server = await startUsersServer();
  return externalVariant(server, server.url);
});

postgresConformance('external, as a role with CREATEDB and CREATEROLE', async () => {
  const server = await startUsersServer();
  return externalVariant(server, await asOrdinaryAdmin(server));
});

const installed = installedPostgres();
if (installed) {
  postgresConformance(`external, PostgreSQL ${installed.version} of this machine`, async () => {
    const server = await startUsersServer({ installation: installed });
    return externalVariant(server, await asOrdinaryAdmin(server));
  });
} else {
  test('external, an older PostgreSQL', () => {
    cannotRun('needs an older PostgreSQL, and none is in /usr/lib/postgresql', 'apt-get install postgresql');
  });
}
