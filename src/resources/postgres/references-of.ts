/** What `${name.url}` and similar references mean for one consumer. Pure. */
import type { Consumer, DataPlace } from '../resource.ts';
import { type Layout, placeOf } from './plan-layout.ts';
import type { PostgresLogin, ServerAddress } from './postgres-server.ts';

export interface ReferenceSource {
  readonly layout: Layout;
  readonly admin: PostgresLogin;
  readonly urlParameters: UrlParameters;
}

type UrlParameters = Readonly<Record<string, string>>;

export function referencesOf(
  { layout, admin, urlParameters }: ReferenceSource,
  consumer: Consumer,
  address: ServerAddress,
): Record<'url' | 'user' | 'jdbcUrl' | 'host', string> & Readonly<Record<string, string>> {
  const place = placeOf(layout, consumer);
  const urlFor = (login: PostgresLogin): string => postgresUrl(login, address, urlParameters);
  return {
    url: urlFor(place),
    jdbcUrl: jdbcUrl(place, address, urlParameters),
    host: address.host,
    port: String(address.port),
    user: place.user,
    password: place.password,
    database: place.database,
    schema: place.schema,
    // A job that migrates every service goes through this list: `name=url,name=url`.
    urls: [...layout.services].map(([name, login]) => `${name}=${urlFor(login)}`).join(','),
    // For what only an administrator may do: extensions that are not trusted, event triggers, publications.
    adminUrl: urlFor(admin),
  };
}

/** `postgresql://` and not `postgres://`: the one spelling that every client takes. */
function postgresUrl(login: PostgresLogin, address: ServerAddress, parameters: UrlParameters): string {
  const userinfo = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`;
  const query = queryText(parameters);
  return `postgresql://${userinfo}@${authority(address)}/${encodeURIComponent(login.database)}${query}`;
}

/** JDBC takes no user before the host. */
function jdbcUrl(login: PostgresLogin, address: ServerAddress, parameters: UrlParameters): string {
  const query = queryText({ user: login.user, password: login.password, ...parameters });
  return `jdbc:postgresql://${authority(address)}/${encodeURIComponent(login.database)}${query}`;
}

function authority({ host, port }: ServerAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function queryText(parameters: UrlParameters): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The places of all consumers as seen with full access; first the shared one. */
export function dataPlaces(
  { layout, admin, urlParameters }: ReferenceSource,
  address: ServerAddress,
): readonly DataPlace[] {
  const urlOf = (database: string): string => postgresUrl({ ...admin, database }, address, urlParameters);
  const own = [...layout.services].filter(([, place]) => place.user !== layout.owner.user);
  return [
    { service: null, url: urlOf(layout.owner.database), schema: null },
    ...own.map(([service, place]) => ({
      service,
      url: urlOf(place.database),
      schema: layout.share === 'schema-per-service' ? place.schema : null,
    })),
  ];
}
