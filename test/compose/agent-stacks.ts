/** Compose files as those who build with models publish them: platforms, gateways, traces, vectors, workflows. */
import { type CorpusCase, oneFile as one } from './corpus-case.ts';

export const agentStacks: readonly CorpusCase[] = [
  {
    name: 'app-platform-with-sandbox',
    texts: {
      'compose.yml': `x-shared-env: &shared-api-worker-env
  CONSOLE_API_URL: \${CONSOLE_API_URL:-}
  LOG_LEVEL: \${LOG_LEVEL:-INFO}
  SECRET_KEY: \${SECRET_KEY:-sk-9f73s3ljTXVcMT3Blb3ljTqtsKiGHXVcMT3BlbkFJLK7U}
  DB_USERNAME: \${DB_USERNAME:-postgres}
  DB_PASSWORD: \${DB_PASSWORD:-platform123456}
  DB_HOST: \${DB_HOST:-db}
  REDIS_PASSWORD: \${REDIS_PASSWORD:-platform123456}
  CELERY_BROKER_URL: \${CELERY_BROKER_URL:-redis://:platform123456@redis:6379/1}
  VECTOR_STORE: \${VECTOR_STORE:-weaviate}
  CODE_EXECUTION_ENDPOINT: \${CODE_EXECUTION_ENDPOINT:-http://sandbox:8194}
  SSRF_PROXY_HTTP_URL: \${SSRF_PROXY_HTTP_URL:-http://ssrf_proxy:3128}
services:
  api:
    image: example/platform-api:1.4.1
    restart: always
    environment:
      <<: *shared-api-worker-env
      MODE: api
      SENTRY_DSN: \${API_SENTRY_DSN:-}
    depends_on:
      db: { condition: service_healthy }
      redis: { condition: service_started }
    volumes: ["./volumes/app/storage:/app/api/storage"]
    networks: [ssrf_proxy_network, default]
  worker:
    image: example/platform-api:1.4.1
    restart: always
    environment: { <<: *shared-api-worker-env, MODE: worker }
    depends_on: { db: { condition: service_healthy }, redis: { condition: service_started } }
    volumes: ["./volumes/app/storage:/app/api/storage"]
    networks: [ssrf_proxy_network, default]
  db:
    image: postgres:15-alpine
    restart: always
    environment:
      PGUSER: \${PGUSER:-postgres}
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:-platform123456}
      PGDATA: \${PGDATA:-/var/lib/postgresql/data/pgdata}
    command: >
      postgres -c 'max_connections=\${POSTGRES_MAX_CONNECTIONS:-100}'
               -c 'shared_buffers=\${POSTGRES_SHARED_BUFFERS:-128MB}'
    volumes: ["./volumes/db/data:/var/lib/postgresql/data"]
    healthcheck: { test: [CMD, pg_isready, -h, db, -U, "\${PGUSER:-postgres}"], interval: 1s, timeout: 3s, retries: 60 }
  redis:
    image: redis:6-alpine
    environment: { REDISCLI_AUTH: "\${REDIS_PASSWORD:-platform123456}" }
    command: redis-server --requirepass \${REDIS_PASSWORD:-platform123456}
    healthcheck: { test: [CMD-SHELL, "redis-cli -a \${REDIS_PASSWORD:-platform123456} ping | grep PONG"] }
  sandbox:
    image: example/sandbox:0.2.12
    environment: { API_KEY: "\${SANDBOX_API_KEY:-sandbox}", ENABLE_NETWORK: "\${SANDBOX_ENABLE_NETWORK:-true}" }
    volumes: ["./volumes/sandbox/conf:/conf", "./volumes/sandbox/dependencies:/dependencies"]
    healthcheck: { test: [CMD, curl, -f, "http://localhost:8194/health"] }
    networks: [ssrf_proxy_network]
  ssrf_proxy:
    image: ubuntu/squid:latest
    entrypoint:
      ["sh", "-c", "cp /docker-entrypoint-mount.sh /docker-entrypoint.sh && sed -i 's/\\r$$//' /docker-entrypoint.sh && /docker-entrypoint.sh"]
    environment: { HTTP_PORT: "\${SSRF_HTTP_PORT:-3128}" }
    networks: [ssrf_proxy_network, default]
  weaviate:
    image: semitechnologies/weaviate:1.19.0
    profiles: ["", weaviate]
    environment: { PERSISTENCE_DATA_PATH: /var/lib/weaviate, AUTHENTICATION_APIKEY_ENABLED: "true" }
  qdrant: { image: "langgenius/qdrant:v1.8.3", profiles: [qdrant] }
  nginx:
    image: nginx:latest
    depends_on: [api]
    ports: ["\${EXPOSE_NGINX_PORT:-80}:\${NGINX_PORT:-80}", "\${EXPOSE_NGINX_SSL_PORT:-443}:\${NGINX_SSL_PORT:-443}"]
networks:
  ssrf_proxy_network: { driver: bridge, internal: true }
`,
      '.env': 'LOG_LEVEL=DEBUG\nEXPOSE_NGINX_PORT=8088\nPOSTGRES_MAX_CONNECTIONS=200\n',
    },
    profiles: ['weaviate'],
    not129: 'its `config` shows the services of every profile',
  },
  one(
    'traces-of-models',
    `services:
  traces-worker:
    image: docker.io/example/traces-worker:3
    restart: always
    depends_on: &traces-depends-on
      postgres: { condition: service_healthy }
      minio: { condition: service_healthy }
      redis: { condition: service_healthy }
      clickhouse: { condition: service_healthy }
    ports: [127.0.0.1:3030:3030]
    environment: &traces-worker-env
      NEXTAUTH_URL: \${NEXTAUTH_URL:-http://localhost:3000}
      DATABASE_URL: \${DATABASE_URL:-postgresql://postgres:postgres@postgres:5432/postgres} # CHANGEME
      SALT: \${SALT:-mysalt}
      ENCRYPTION_KEY: \${ENCRYPTION_KEY:-0000000000000000000000000000000000000000000000000000000000000000}
      CLICKHOUSE_MIGRATION_URL: \${CLICKHOUSE_MIGRATION_URL:-clickhouse://clickhouse:9000}
      CLICKHOUSE_URL: \${CLICKHOUSE_URL:-http://clickhouse:8123}
      CLICKHOUSE_CLUSTER_ENABLED: \${CLICKHOUSE_CLUSTER_ENABLED:-false}
      S3_EVENT_UPLOAD_ENDPOINT: \${S3_EVENT_UPLOAD_ENDPOINT:-http://minio:9000}
      REDIS_HOST: \${REDIS_HOST:-redis}
      REDIS_PORT: \${REDIS_PORT:-6379}
  traces-web:
    image: docker.io/example/traces:3
    depends_on: *traces-depends-on
    ports: [3000:3000]
    environment:
      <<: *traces-worker-env
      NEXTAUTH_SECRET: \${NEXTAUTH_SECRET:-mysecret}
      INIT_ORG_ID: \${INIT_ORG_ID:-}
  clickhouse:
    image: docker.io/clickhouse/clickhouse-server
    user: "101:101"
    environment: { CLICKHOUSE_DB: default, CLICKHOUSE_USER: clickhouse, CLICKHOUSE_PASSWORD: clickhouse }
    volumes: [traces_clickhouse_data:/var/lib/clickhouse, traces_clickhouse_logs:/var/log/clickhouse-server]
    ports: ["127.0.0.1:8123:8123", "127.0.0.1:9000:9000"]
    healthcheck:
      test: wget --no-verbose --tries=1 --spider http://localhost:8123/ping || exit 1
      interval: 5s
      timeout: 5s
      retries: 10
      start_period: 1s
  minio:
    image: docker.io/minio/minio
    entrypoint: sh
    command: -c 'mkdir -p /data/traces && minio server --address ":9000" --console-address ":9001" /data'
    environment: { MINIO_ROOT_USER: minio, MINIO_ROOT_PASSWORD: miniosecret }
    ports: [9090:9000, 127.0.0.1:9091:9001]
    volumes: [traces_minio_data:/data]
    healthcheck: { test: ["CMD", "mc", "ready", "local"], interval: 1s, timeout: 5s, retries: 5, start_period: 1s }
  redis:
    image: docker.io/redis:7
    command: >
      --requirepass \${REDIS_AUTH:-myredissecret}
    ports: [127.0.0.1:6379:6379]
    healthcheck: { test: ["CMD", "redis-cli", "ping"], interval: 3s, timeout: 10s, retries: 10 }
  postgres:
    image: docker.io/postgres:\${POSTGRES_VERSION:-17}
    healthcheck: { test: ["CMD-SHELL", "pg_isready -U postgres"], interval: 3s, timeout: 3s, retries: 10 }
    environment: [POSTGRES_USER=postgres, POSTGRES_PASSWORD=postgres, POSTGRES_DB=postgres, TZ=UTC]
    ports: [127.0.0.1:5432:5432]
    volumes: [traces_postgres_data:/var/lib/postgresql/data]
volumes:
  traces_postgres_data: { driver: local }
  traces_clickhouse_data: { driver: local }
  traces_clickhouse_logs: { driver: local }
  traces_minio_data: { driver: local }
`,
  ),
  {
    name: 'automation-with-queue',
    texts: {
      'compose.yml': `version: '3.8'
volumes:
  db_storage:
  automation_storage:
  redis_storage:
x-shared: &shared
  restart: always
  image: docker.example.io/automation
  environment:
    - DB_TYPE=postgresdb
    - DB_POSTGRESDB_HOST=postgres
    - DB_POSTGRESDB_PORT=5432
    - DB_POSTGRESDB_DATABASE=\${POSTGRES_DB}
    - DB_POSTGRESDB_USER=\${POSTGRES_NON_ROOT_USER}
    - DB_POSTGRESDB_PASSWORD=\${POSTGRES_NON_ROOT_PASSWORD}
    - EXECUTIONS_MODE=queue
    - QUEUE_BULL_REDIS_HOST=redis
    - QUEUE_HEALTH_CHECK_ACTIVE=true
    - ENCRYPTION_KEY=\${ENCRYPTION_KEY}
  links:
    - postgres
    - redis
  volumes:
    - automation_storage:/srv/node/.automation
  depends_on:
    redis:
      condition: service_healthy
    postgres:
      condition: service_healthy
services:
  postgres:
    image: postgres:16
    restart: always
    environment: [POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB, POSTGRES_NON_ROOT_USER, POSTGRES_NON_ROOT_PASSWORD]
    volumes:
      - db_storage:/var/lib/postgresql/data
      - ./init-data.sh:/docker-entrypoint-initdb.d/init-data.sh
    healthcheck:
      test: ['CMD-SHELL', 'pg_isready -h localhost -U \${POSTGRES_USER} -d \${POSTGRES_DB}']
      interval: 5s
      timeout: 5s
      retries: 10
  redis:
    image: redis:6-alpine
    volumes: [redis_storage:/data]
    healthcheck: { test: ['CMD', 'redis-cli', 'ping'], interval: 5s, timeout: 5s, retries: 10 }
  automation:
    <<: *shared
    ports: [5678:5678]
  automation-worker:
    <<: *shared
    command: worker
    depends_on: [automation]
`,
      '.env': `POSTGRES_USER=changeUser
POSTGRES_PASSWORD=changePassword
POSTGRES_DB=automation
POSTGRES_NON_ROOT_USER=changeUser
POSTGRES_NON_ROOT_PASSWORD=changePassword
ENCRYPTION_KEY=changeEncryptionKey
`,
      'init-data.sh': '#!/bin/sh\n',
    },
    env: { POSTGRES_USER: 'fromShell', POSTGRES_PASSWORD: 'p', POSTGRES_DB: 'd' },
  },
  one(
    'backend-as-a-service',
    `name: backend
services:
  studio:
    container_name: backend-studio
    image: example/studio:2024
    restart: unless-stopped
    healthcheck:
      test: [CMD, node, -e, "fetch('http://studio:3000/api/profile').then((r) => {if (r.status !== 200) throw new Error(r.status)})"]
      timeout: 10s
      interval: 5s
      retries: 3
    depends_on: { analytics: { condition: service_healthy } }
    environment:
      STUDIO_PG_META_URL: http://meta:8080
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?set it}
      DEFAULT_ORGANIZATION_NAME: \${STUDIO_DEFAULT_ORGANIZATION:-Default Organization}
  kong:
    image: kong:2.8.1
    # https://unix.stackexchange.com/a/294837
    entrypoint: bash -c 'eval "echo \\"$$(cat ~/temp.yml)\\"" > ~/kong.yml && /docker-entrypoint.sh kong docker-start'
    ports: ["\${KONG_HTTP_PORT:-8000}:8000/tcp", "\${KONG_HTTPS_PORT:-8443}:8443/tcp"]
    depends_on: { analytics: { condition: service_healthy } }
    volumes: ["./volumes/api/kong.yml:/srv/kong/temp.yml:ro,z"]
    environment: { KONG_DATABASE: "off", KONG_DNS_ORDER: "LAST,A,CNAME", KONG_PLUGINS: "request-transformer,cors,key-auth" }
  analytics:
    image: example/logflare:1.4.0
    healthcheck: { test: [CMD, curl, "http://localhost:4000/health"], timeout: 5s, interval: 5s, retries: 10 }
    depends_on: { db: { condition: service_healthy } }
    environment:
      DB_PASSWORD: \${POSTGRES_PASSWORD}
      POSTGRES_BACKEND_URL: postgresql://admin:\${POSTGRES_PASSWORD}@\${POSTGRES_HOST:-db}:\${POSTGRES_PORT:-5432}/_backend
      LOGFLARE_FEATURE_FLAG_OVERRIDE: multibackend=true
  meta: { image: "example/meta:v0.84", depends_on: { db: { condition: service_healthy }, analytics: { condition: service_healthy } } }
  functions:
    image: example/edge-runtime:v1.58
    volumes: ["./volumes/functions:/srv/deno/functions:Z"]
    command:
      - start
      - --main-service
      - /srv/deno/functions/main
    depends_on: { analytics: { condition: service_healthy } }
  vector:
    image: timberio/vector:0.28.1-alpine
    volumes: ["./volumes/logs/vector.yml:/etc/vector/vector.yml:ro"]
    command: ["--config", "/etc/vector/vector.yml"]
    healthcheck: { test: [CMD, wget, --no-verbose, --tries=1, --spider, "http://vector:9001/health"], timeout: 5s, interval: 5s, retries: 3 }
  db:
    image: example/postgres:15.8.1.020
    healthcheck: { test: pg_isready -U postgres -h localhost, interval: 5s, timeout: 5s, retries: 10 }
    depends_on: { vector: { condition: service_healthy } }
    command: ["postgres", "-c", "config_file=/etc/postgresql/postgresql.conf", "-c", "log_min_messages=fatal"]
    environment: { POSTGRES_HOST: /var/run/postgresql, PGPORT: "\${POSTGRES_PORT:-5432}", JWT_EXP: "\${JWT_EXPIRY:-3600}" }
    volumes:
      - ./volumes/db/realtime.sql:/docker-entrypoint-initdb.d/migrations/99-realtime.sql:Z
      - ./volumes/db/data:/var/lib/postgresql/data:Z
      - db-config:/etc/postgresql-custom
volumes: { db-config: }
`,
    { env: { POSTGRES_PASSWORD: 'p$4' }, not129: 'it does not know `name`' },
  ),
  {
    name: 'gateway-to-models',
    texts: {
      'compose.yml': `version: "3.9"
services:
  gateway:
    build:
      context: .
      args:
        target: runtime
    image: ghcr.io/example/gateway:main-stable
    ports:
      - "4000:4000"
    environment:
      DATABASE_URL: "postgresql://gateway:dbpassword9090@db:5432/gateway"
      STORE_MODEL_IN_DB: "True"
    env_file:
      - .env
    command: ["--config=/app/config.yaml", "--num_workers", "8"]
    depends_on:
      - db
    healthcheck:
      test: [ "CMD-SHELL", "wget --no-verbose --tries=1 http://localhost:4000/health/liveliness || exit 1" ]
      interval: 30s
      timeout: 10s
      retries: 3
      start_period: 40s
  db:
    image: postgres:16
    restart: always
    container_name: gateway_db
    environment: { POSTGRES_DB: gateway, POSTGRES_USER: gateway, POSTGRES_PASSWORD: dbpassword9090 }
    ports: ["5432:5432"]
    volumes: [postgres_data:/var/lib/postgresql/data]
    healthcheck: { test: ["CMD-SHELL", "pg_isready -d gateway -U gateway"], interval: 1s, timeout: 5s, retries: 10 }
  prometheus:
    image: prom/prometheus
    volumes: [prometheus_data:/prometheus, ./prometheus.yml:/etc/prometheus/prometheus.yml]
    ports: ["9090:9090"]
    command: ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus", "--storage.tsdb.retention.time=15d"]
    restart: always
volumes:
  prometheus_data: { driver: local }
  postgres_data: { name: gateway_postgres_data }
`,
      '.env': 'OPENAI_API_KEY=sk-none\nLOG="a b"\n',
    },
  },
  one(
    'workflow-engine',
    `version: "3.5"
services:
  postgresql:
    container_name: workflow-postgresql
    environment: { POSTGRES_PASSWORD: workflow, POSTGRES_USER: workflow }
    image: postgres:\${POSTGRESQL_VERSION:-16}
    networks: [workflow-network]
    expose: [5432]
    volumes: [/var/lib/postgresql/data]
  workflow:
    container_name: workflow
    depends_on: [postgresql]
    environment:
      - DB=postgres12
      - DB_PORT=5432
      - POSTGRES_SEEDS=postgresql
      - DYNAMIC_CONFIG_FILE_PATH=config/dynamicconfig/development-sql.yaml
    image: example/auto-setup:\${WORKFLOW_VERSION:-1.25}
    networks: [workflow-network]
    ports: [7233:7233]
    volumes: ["./dynamicconfig:/etc/workflow/config/dynamicconfig"]
  admin-tools:
    depends_on: [workflow]
    environment: [WORKFLOW_ADDRESS=workflow:7233, WORKFLOW_CLI_ADDRESS=workflow:7233]
    image: example/admin-tools:1.25
    networks: [workflow-network]
    stdin_open: true
    tty: true
  ui:
    depends_on: [workflow]
    environment: [WORKFLOW_ADDRESS=workflow:7233, "WORKFLOW_CORS_ORIGINS=http://localhost:3000"]
    image: example/ui:2.31
    networks: [workflow-network]
    ports: [8080:8080]
networks:
  workflow-network: { driver: bridge, name: workflow-network }
`,
  ),
  one(
    'chat-with-local-models',
    `services:
  ollama:
    volumes: [ollama:/var/ollama]
    container_name: ollama
    pull_policy: always
    tty: true
    restart: unless-stopped
    image: ollama/ollama:\${OLLAMA_DOCKER_TAG-latest}
    deploy:
      resources: { reservations: { devices: [{ driver: nvidia, count: all, capabilities: [gpu] }] } }
  chat:
    build: { context: ., args: { OLLAMA_BASE_URL: "/ollama" }, dockerfile: Dockerfile }
    image: ghcr.io/example/chat:\${WEBUI_DOCKER_TAG-main}
    volumes: [chat:/app/backend/data]
    depends_on: [ollama]
    ports: ["\${OPEN_WEBUI_PORT-3000}:8080"]
    environment: ['OLLAMA_BASE_URL=http://ollama:11434', 'WEBUI_SECRET_KEY=']
    extra_hosts: [host.docker.internal:host-gateway]
volumes: { ollama: {}, chat: {} }
`,
  ),
];
