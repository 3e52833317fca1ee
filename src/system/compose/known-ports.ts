/** Ports and protocols that are known without being declared: of well-known images, and of schemes. */

interface KnownImage {
  readonly name: RegExp;
  readonly ports: readonly number[];
}

/** Of images that do not say it in their compose file, because everybody knows. */
const images: readonly KnownImage[] = [
  { name: /^(?:.*\/)?(?:postgres|postgis|pgvector|timescaledb)$/, ports: [5432] },
  { name: /^(?:.*\/)?(?:redis|valkey|redis-stack|redis-stack-server|keydb|dragonfly)$/, ports: [6379] },
  { name: /^(?:.*\/)?(?:mysql|mariadb|percona)$/, ports: [3306] },
  { name: /^(?:.*\/)?(?:mongo|mongodb)$/, ports: [27_017] },
  { name: /^(?:.*\/)?memcached$/, ports: [11_211] },
  { name: /^(?:.*\/)?rabbitmq$/, ports: [5672, 15_672] },
  { name: /^(?:.*\/)?nats$/, ports: [4222, 8222] },
  { name: /^(?:.*\/)?(?:elasticsearch|opensearch)$/, ports: [9200] },
  { name: /^(?:.*\/)?minio$/, ports: [9000] },
  { name: /^(?:.*\/)?(?:nginx|httpd|traefik|caddy|wordpress)$/, ports: [80] },
  { name: /^(?:.*\/)?(?:kafka|cp-kafka|redpanda)$/, ports: [9092] },
  { name: /^(?:.*\/)?zookeeper$/, ports: [2181] },
  { name: /^(?:.*\/)?etcd$/, ports: [2379] },
  { name: /^(?:.*\/)?clickhouse(?:-server)?$/, ports: [8123, 9000] },
  { name: /^(?:.*\/)?(?:mailhog|mailpit)$/, ports: [1025, 8025] },
  { name: /^(?:.*\/)?localstack$/, ports: [4566] },
  { name: /^(?:.*\/)?qdrant$/, ports: [6333, 6334] },
  { name: /^(?:.*\/)?(?:temporal|auto-setup)$/, ports: [7233] },
  { name: /^(?:.*\/)?ollama$/, ports: [11_434] },
];

export function portsOfImage(image: string | undefined): readonly number[] {
  const name = (image ?? '').replace(/@.*$/, '').replace(/:[^/]*$/, '');
  return images.find((known) => known.name.test(name))?.ports ?? [];
}

const schemePorts: Readonly<Record<string, number>> = {
  http: 80,
  ws: 80,
  https: 443,
  wss: 443,
  postgres: 5432,
  postgresql: 5432,
  redis: 6379,
  valkey: 6379,
  mysql: 3306,
  mariadb: 3306,
  mongodb: 27_017,
  amqp: 5672,
  nats: 4222,
  kafka: 9092,
  smtp: 25,
  memcached: 11_211,
};

/** `postgresql+asyncpg` is `postgresql`. */
export function portOfScheme(scheme: string): number | undefined {
  return schemePorts[(scheme.split('+')[0] as string).toLowerCase()];
}

const portSchemes: Readonly<Record<number, string>> = { 5432: 'postgres', 6379: 'redis' };
/** Not spoken in HTTP. */
const otherPorts: readonly number[] = [
  22, 25, 443, 465, 587, 1025, 1433, 2181, 2379, 3306, 4222, 5671, 5672, 6334, 7233, 8443, 9042, 9092, 9094,
  11_211, 27_017,
];

/** `scheme` is what consumers write before the address. */
export function schemeOfPort(port: number, scheme?: string): string {
  const base = scheme?.split('+')[0]?.toLowerCase();
  if (base === 'http' || base === 'ws') return 'http';
  if (base === 'postgres' || base === 'postgresql') return 'postgres';
  if (base === 'redis' || base === 'valkey') return 'redis';
  if (base !== undefined) return 'tcp';
  return portSchemes[port] ?? (otherPorts.includes(port) ? 'tcp' : 'http');
}
