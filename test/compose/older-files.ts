/** Compose files as they are found in projects: versions 2 and 3. */
import { type CorpusCase, oneFile as one } from './corpus-case.ts';

export const olderFiles: readonly CorpusCase[] = [
  one(
    'version-2-links',
    `version: "2"
services:
  web:
    build: .
    links: [db, "cache:redis"]
    ports: ["5000:5000"]
    volumes: [".:/code"]
    environment: [FLASK_ENV=development, DEBUG=1]
  db: { image: "postgres:9.6" }
  cache: { image: redis }
`,
  ),
  one(
    'version-2.4-health',
    `version: "2.4"
services:
  web:
    image: web
    depends_on: { db: { condition: service_healthy } }
    mem_limit: 512m
    init: true
  db:
    image: mysql:5.7
    environment: { MYSQL_ROOT_PASSWORD: root, MYSQL_DATABASE: shop }
    healthcheck: { test: ["CMD", "mysqladmin", "ping"], interval: 10s, timeout: 5s, retries: 5 }
`,
  ),
  one(
    'version-3-django',
    `version: '3'
services:
  db:
    image: postgres
    volumes: ["./data/db:/var/lib/postgresql/data"]
    environment:
      - POSTGRES_DB=postgres
      - POSTGRES_USER=postgres
      - POSTGRES_PASSWORD=postgres
  web:
    build: .
    command: python manage.py runserver 0.0.0.0:8000
    volumes: [".:/code"]
    ports: ["8000:8000"]
    depends_on: [db]
`,
  ),
  one(
    'version-3.8-networks',
    `version: "3.8"
services:
  proxy: { image: nginx, networks: [front], ports: ["80:80", "443:443"] }
  app: { image: app, networks: { front: {}, back: { aliases: [api, backend] } } }
  db: { image: postgres, networks: [back], expose: ["5432"] }
networks: { front: {}, back: { driver: bridge } }
`,
  ),
  one(
    'long-ports-and-volumes',
    `version: "3.8"
services:
  web:
    image: web
    ports:
      - { target: 80, published: 8080, protocol: tcp, mode: host }
      - "127.0.0.1:9000:9000"
      - "6060:6060/udp"
    volumes:
      - { type: bind, source: ./static, target: /static, read_only: true }
      - { type: volume, source: data, target: /data, volume: { nocopy: true } }
      - { type: tmpfs, target: /cache }
      - data2:/data2:ro
volumes: { data: {}, data2: { driver: local } }
`,
  ),
  one(
    'port-ranges',
    `version: "3.8"
services:
  a: { image: x, ports: ["3000", "3001-3003", "9090-9091:8080-8081", "49100:22", "127.0.0.1:5010-5012:5010-5012"] }
`,
  ),
  one(
    'anchors',
    `version: "3.4"
x-env: &env { LOG: info, TZ: UTC }
x-app: &app
  image: app
  restart: always
  environment: *env
services:
  web: { <<: *app, command: [serve], ports: ["80:80"] }
  worker:
    <<: *app
    command: [work]
    environment: { <<: *env, LOG: debug, QUEUE: jobs }
`,
  ),
  one(
    'merge-list',
    `version: "3.4"
x-a: &a { image: one, user: "1" }
x-b: &b { image: two, working_dir: /b }
services:
  web: { <<: [*a, *b], hostname: h }
`,
  ),
  {
    name: 'interpolation',
    texts: {
      'compose.yml': `version: "3.8"
services:
  web:
    image: "repo/web:\${TAG:-latest}"
    environment:
      A: "\${A}"
      B: \${B-none}
      C: "\${EMPTY:-default} \${EMPTY-kept}"
      D: $A-$A
      F: "price $$5"
    command: ["sh", "-c", "echo $$HOME \${A}"]
`,
      '.env': 'TAG=1.2\nA=from-file\nNESTED=\n',
    },
    env: { A: 'from-shell', EMPTY: '' },
  },
  one(
    'interpolation-required-and-other',
    `services:
  web:
    image: "x:\${TAG:?give a tag}"
    environment: { A: "\${TAG:+set}", B: "\${NOPE+set}", C: "\${NOPE:-\${TAG}/\${OTHER-o}}", D: "$ 5 $% \${TAG}" }
`,
    { env: { TAG: 't' }, not129: '`:+`, nested defaults and a lone `$` came later' },
  ),
  {
    name: 'dotenv-dialect',
    texts: {
      'compose.yml': `services:
  a: { image: x, env_file: vars.env }
`,
      'vars.env': `# comment
export ONE=1
TWO = two words   # a comment
THREE="quoted # not a comment" # one
FOUR='single $ONE'
FIVE=\${ONE}-$THREE
SIX="line\\nbreak \\"q\\""
SEVEN=
EIGHT="two
lines"
NINE=a#b
TEN='it\\'s'
ELEVEN: colon
FROM_SHELL
NOT_THERE
`,
    },
    env: { FROM_SHELL: 'yes' },
    not129: 'its env files were read by another reader',
  },
  {
    name: 'env-files',
    texts: {
      'compose.yml': `version: "3.8"
services:
  web:
    image: web
    env_file: [common.env, ./web.env]
    environment: { C: inline, FROM_SHELL: , MISSING: }
  db: { image: db, env_file: common.env }
`,
      'common.env': 'A=common\nB=common\nC=common\n',
      'web.env': 'B=web\n',
    },
    env: { FROM_SHELL: 'yes' },
  },
  {
    name: 'env-file-long',
    texts: {
      'compose.yml': `services:
  web:
    image: web
    env_file:
      - path: ./raw.env
        format: raw
      - { path: ./missing.env, required: false }
      - there.env
`,
      'raw.env': 'RAW="$HOME \'x\'"\n',
      'there.env': 'A=1\n',
    },
    not129: 'the long form came later',
  },
  {
    name: 'extends-file',
    texts: {
      'compose.yml': `version: "2.4"
services:
  web:
    extends: { file: base/common.yml, service: app }
    environment: { B: web }
    ports: ["8080:80"]
  worker:
    extends: { file: base/common.yml, service: app }
    command: work
`,
      'base/common.yml': `version: "2.4"
services:
  app:
    image: app
    environment: { A: base, B: base }
    volumes: ["./conf:/conf"]
    ports: ["9000:9000"]
`,
    },
  },
  one(
    'extends-chain',
    `version: "2.4"
services:
  base: { image: base, environment: { A: "1" }, cap_add: [SYS_PTRACE] }
  middle: { extends: { service: base }, environment: [B=2], volumes: ["/data"] }
  top: { extends: { service: middle }, image: top, environment: { A: "3" } }
`,
  ),
  {
    name: 'override-file',
    texts: {
      'docker-compose.yml': `version: "3.8"
services:
  web:
    image: web
    command: [serve]
    environment: { A: base, B: base }
    ports: ["80:80"]
    volumes: ["data:/data", "./src:/src"]
    depends_on: [db]
  db: { image: db }
volumes: { data: {} }
`,
      'docker-compose.override.yml': `version: "3.8"
services:
  web:
    command: [serve, --debug]
    environment: [B=override, C=new]
    ports: ["9229:9229"]
    volumes: ["./other:/src"]
  cache: { image: redis }
`,
    },
    files: ['docker-compose.yml', 'docker-compose.override.yml'],
  },
];
