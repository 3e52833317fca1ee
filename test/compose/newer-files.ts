/** Compose files as they are found in projects: the Compose Specification, and forms that take some reading. */
import { type CorpusCase, oneFile as one } from './corpus-case.ts';

export const newerFiles: readonly CorpusCase[] = [
  {
    name: 'reset-and-override',
    texts: {
      'a.yml': `services:
  web:
    image: web
    ports: ["80:80"]
    environment: { A: "1", B: "2" }
    volumes: ["./src:/src"]
    depends_on: [db]
  db: { image: db }
`,
      'b.yml': `services:
  web:
    ports: !reset []
    environment: { A: !reset null }
    volumes: !override ["./x:/x"]
    depends_on: !reset null
`,
    },
    files: ['a.yml', 'b.yml'],
    not129: 'the tags came later',
  },
  {
    name: 'include',
    texts: {
      'compose.yml': `include: [infra/compose.yml, { path: tools/t.yml, env_file: tools/t.env }]
services:
  web: { image: web, depends_on: [db], environment: { X: "\${X:-outer}" } }
`,
      'infra/compose.yml': `services:
  db: { image: "db:\${X}", volumes: ["./data:/data"], env_file: db.env }
`,
      'infra/.env': 'X=inner\n',
      'infra/db.env': 'P=1\n',
      'tools/t.yml': 'services: { tool: { image: "tool:${T}", build: ./src } }\n',
      'tools/t.env': 'T=9\n',
    },
    not129: '`include` came later',
  },
  one(
    'profiles',
    `version: "3.9"
services:
  web: { image: web }
  debug: { image: debug, profiles: [debug], depends_on: [web] }
  other: { image: other, profiles: [other] }
`,
    { profiles: ['debug'], not129: 'its `config` shows the services of every profile' },
  ),
  one(
    'profiles-none',
    `version: "3.9"
services:
  web: { image: web }
  debug: { image: debug, profiles: [debug] }
`,
    { not129: 'its `config` shows the services of every profile' },
  ),
  one(
    'one-shots',
    `services:
  migrate: { image: app, command: migrate, depends_on: { db: { condition: service_healthy } } }
  seed: { image: app, command: seed, depends_on: { migrate: { condition: service_completed_successfully } } }
  web:
    image: app
    depends_on:
      migrate: { condition: service_completed_successfully }
      extra: { condition: service_started, required: false }
  extra: { image: x, profiles: [extra] }
  db: { image: postgres, healthcheck: { test: pg_isready } }
`,
    { not129: '`required` came later' },
  ),
  one(
    'commands',
    `version: "3.8"
services:
  a: { image: x, command: 'sh -c "echo hello world"' }
  b: { image: x, command: ["echo", "a b"], entrypoint: /run.sh --flag 'x y' }
  c: { image: x, entrypoint: ["sh", "-c"], command: [] }
  d: { image: x, command: python -m app --name "it's" path\\ with\\ space }
`,
  ),
  one(
    'commands-odd',
    `services:
  a: { image: x, command: sh -c foo && bar }
  b: { image: x, command: "", entrypoint: [] }
  c: { image: x, command: 'echo "x\\ny" a\\tb' }
  d:
    image: x
    command: >
      node
      server.js --port 80
`,
    { not129: 'it splits as Python does' },
  ),
  one(
    'scalars',
    `services:
  a:
    image: x
    environment: { O: 0755, F: 1.10, U: 1_000, Y: yes, T: true, N: null, S: 22:22, E: 1e3, H: 0x1F, B: 12345678901234567890, L: "007", M: 0.00001 }
`,
    { not129: 'it reads numbers as YAML 1.1 does' },
  ),
  {
    name: 'build',
    texts: {
      'compose.yml': `version: "3.8"
services:
  a: { build: . }
  b: { build: { context: ./b, dockerfile: Dockerfile.dev, args: { V: 1, W: }, target: dev }, image: built }
  c: { build: { context: ./c, args: [X=1, Y] } }
`,
      'b/Dockerfile.dev': 'FROM scratch\n',
      'c/Dockerfile': 'FROM scratch\n',
    },
    env: { W: 'w', Y: 'y' },
  },
  one(
    'first-form',
    `web:
  build: .
  links: [db]
  ports: ["8000:8000"]
  environment: { A: b }
db: { image: postgres }
`,
    { not2: 'it wants `services`' },
  ),
  one(
    'secrets-and-configs',
    `version: "3.8"
services:
  a:
    image: x
    secrets: [token, { source: key, target: /etc/key, mode: 0440 }]
    configs: [{ source: conf, target: /etc/app.conf }]
secrets: { token: { file: ./token.txt }, key: { file: ./key.pem } }
configs: { conf: { file: ./app.conf } }
`,
  ),
  one(
    'hosts-and-limits',
    `version: "2.4"
services:
  a:
    image: x
    extra_hosts: ["somehost:162.242.195.82", "host.docker.internal:host-gateway"]
    ulimits: { nproc: 65535, nofile: { soft: 20000, hard: 40000 } }
    sysctls: { net.core.somaxconn: 1024 }
    shm_size: 64M
    tmpfs: [/run, "/tmp:size=64m"]
    cap_add: [NET_ADMIN]
    stop_signal: SIGINT
    stop_grace_period: 1m30s
    user: "1000:1000"
    working_dir: /srv
    restart: unless-stopped
`,
  ),
  one(
    'without-version-dev-stack',
    `name: shop
services:
  frontend:
    build: { context: ./frontend, target: dev }
    ports: ["\${WEB_PORT:-3000}:3000"]
    volumes: ["./frontend:/app", /app/node_modules]
    environment: { API_URL: "http://api:8000" }
  api:
    build: ./api
    depends_on: { db: { condition: service_healthy }, redis: { condition: service_started } }
    environment: { DATABASE_URL: "postgresql://app:pw@db:5432/app", REDIS_URL: "redis://redis:6379/0" }
    ports: ["8000:8000"]
  worker: { build: ./api, command: celery -A app worker, depends_on: [api, redis] }
  db:
    image: postgres:16
    environment: { POSTGRES_USER: app, POSTGRES_PASSWORD: pw, POSTGRES_DB: app }
    healthcheck: { test: ["CMD-SHELL", "pg_isready -U app"], interval: 5s }
    volumes: [pgdata:/var/lib/postgresql/data]
  redis: { image: "redis:7-alpine" }
volumes: { pgdata: }
`,
    { not129: 'it does not know `name`' },
  ),
  one(
    'kafka-style',
    `version: '3.7'
services:
  zookeeper: { image: confluentinc/cp-zookeeper:7.0.1, environment: { ZOOKEEPER_CLIENT_PORT: 2181 } }
  broker:
    image: confluentinc/cp-kafka:7.0.1
    depends_on: [zookeeper]
    ports: ["9092:9092"]
    environment:
      KAFKA_BROKER_ID: 1
      KAFKA_ZOOKEEPER_CONNECT: 'zookeeper:2181'
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://localhost:9092,PLAINTEXT_INTERNAL://broker:29092
      KAFKA_AUTO_CREATE: "true"
    labels: { team: data, com.example.x: "" }
    logging: { driver: json-file, options: { max-size: 10m } }
    deploy: { replicas: 1, resources: { limits: { memory: 1G, cpus: "0.5" } } }
`,
  ),
];
