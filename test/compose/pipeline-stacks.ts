/** Compose files as well-known projects publish them: pipelines, brokers, logs, shops, telemetry. */
import { type CorpusCase, oneFile as one } from './corpus-case.ts';

export const pipelineStacks: readonly CorpusCase[] = [
  one(
    'pipelines-with-celery',
    `version: '3.8'
x-pipelines-common:
  &pipelines-common
  image: \${PIPELINES_IMAGE_NAME:-example/pipelines:2.7.1}
  environment:
    &pipelines-common-env
    EXECUTOR: CeleryExecutor
    SQL_ALCHEMY_CONN: postgresql+psycopg2://pipelines:pipelines@postgres/pipelines
    CELERY_RESULT_BACKEND: db+postgresql://pipelines:pipelines@postgres/pipelines
    BROKER_URL: redis://:@redis:6379/0
    FERNET_KEY: ''
    LOAD_EXAMPLES: 'true'
    _PIP_ADDITIONAL_REQUIREMENTS: \${_PIP_ADDITIONAL_REQUIREMENTS:-}
  volumes:
    - \${PROJ_DIR:-.}/dags:/opt/pipelines/dags
    - \${PROJ_DIR:-.}/logs:/opt/pipelines/logs
  user: "\${PIPELINES_UID:-50000}:0"
  depends_on:
    &pipelines-common-depends-on
    redis:
      condition: service_healthy
    postgres:
      condition: service_healthy
services:
  postgres:
    image: postgres:13
    environment: { POSTGRES_USER: pipelines, POSTGRES_PASSWORD: pipelines, POSTGRES_DB: pipelines }
    volumes: [postgres-db-volume:/var/lib/postgresql/data]
    healthcheck: { test: ["CMD", "pg_isready", "-U", "pipelines"], interval: 10s, retries: 5, start_period: 5s }
    restart: always
  redis:
    image: redis:latest
    expose: [6379]
    healthcheck: { test: ["CMD", "redis-cli", "ping"], interval: 10s, timeout: 30s, retries: 50, start_period: 30s }
  pipelines-webserver:
    <<: *pipelines-common
    command: webserver
    ports: ["8080:8080"]
    healthcheck: { test: ["CMD", "curl", "--fail", "http://localhost:8080/health"], interval: 30s, timeout: 10s, retries: 5 }
    depends_on:
      <<: *pipelines-common-depends-on
      pipelines-init: { condition: service_completed_successfully }
  pipelines-worker:
    <<: *pipelines-common
    command: celery worker
    healthcheck:
      test:
        - "CMD-SHELL"
        - 'celery --app app inspect ping -d "celery@$\${HOSTNAME}" || celery --app other inspect ping -d "celery@$\${HOSTNAME}"'
      interval: 30s
    environment:
      <<: *pipelines-common-env
      # Required to handle warm shutdown of the celery workers properly
      DUMB_INIT_SETSID: "0"
    depends_on:
      <<: *pipelines-common-depends-on
      pipelines-init: { condition: service_completed_successfully }
  pipelines-init:
    <<: *pipelines-common
    entrypoint: /bin/bash
    # yamllint disable rule:line-length
    command:
      - -c
      - |
        if [[ -z "\${PIPELINES_UID}" ]]; then
          echo -e "\\033[1;33mWARNING!!!: PIPELINES_UID not set!\\e[0m"
        fi
        one_meg=1048576
        mem_available=$$(($$(getconf _PHYS_PAGES) * $$(getconf PAGE_SIZE) / one_meg))
        echo "$\${mem_available}"
        exec /entrypoint pipelines version
    environment: { <<: *pipelines-common-env, _DB_MIGRATE: 'true', _WWW_USER_PASSWORD: "\${_WWW_USER_PASSWORD:-admin}" }
    user: "0:0"
    volumes: ["\${PROJ_DIR:-.}:/sources"]
  pipelines-cli:
    <<: *pipelines-common
    profiles: [debug]
    environment: { <<: *pipelines-common-env, CONNECTION_CHECK_MAX_COUNT: "0" }
    command: [bash, -c, pipelines]
volumes: { postgres-db-volume: }
`,
    { profiles: ['debug'] },
  ),
  one(
    'blog',
    `version: '3.1'
services:
  blog:
    image: wordpress
    restart: always
    ports: [8080:80]
    environment:
      WORDPRESS_DB_HOST: db
      WORDPRESS_DB_USER: exampleuser
      WORDPRESS_DB_PASSWORD: examplepass
    volumes: [blog:/var/www/html]
  db:
    image: mysql:8.0
    restart: always
    environment: { MYSQL_DATABASE: exampledb, MYSQL_USER: exampleuser, MYSQL_PASSWORD: examplepass, MYSQL_RANDOM_ROOT_PASSWORD: '1' }
    volumes: [db:/var/lib/mysql]
volumes:
  blog:
  db:
`,
  ),
  one(
    'brokers-without-zookeeper',
    `x-broker: &broker
  image: confluentinc/cp-kafka:7.6.0
  healthcheck: { test: "nc -z localhost 9092 || exit -1", start_period: 15s, interval: 5s, timeout: 10s, retries: 10 }
services:
  broker-1:
    <<: *broker
    hostname: broker-1
    ports: ["29092:9092", "\${JMX_PORT:-9101}:9101"]
    environment: &broker-env
      KAFKA_NODE_ID: 1
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,PLAINTEXT_HOST:PLAINTEXT'
      KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT_HOST://localhost:29092,PLAINTEXT://broker-1:19092'
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@broker-1:29093,2@broker-2:29093'
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: 0
      KAFKA_HEAP_OPTS: -Xms512M -Xmx1G
      CLUSTER_ID: 'MkU3OEVBNTcwNTJENDM2Qk'
  broker-2:
    <<: *broker
    hostname: broker-2
    ports: [39092:9092]
    environment: { <<: *broker-env, KAFKA_NODE_ID: 2, KAFKA_ADVERTISED_LISTENERS: "PLAINTEXT://broker-2:19092" }
  init-topics:
    image: confluentinc/cp-kafka:7.6.0
    depends_on: { broker-1: { condition: service_healthy }, broker-2: { condition: service_healthy } }
    entrypoint: ["/bin/sh", "-c"]
    command: |
      "
      kafka-topics --bootstrap-server broker-1:19092 --list
      kafka-topics --bootstrap-server broker-1:19092 --create --if-not-exists --topic events --partitions 3
      "
  registry:
    image: confluentinc/cp-schema-registry:7.6.0
    depends_on: [broker-1, broker-2]
    ports: ["8081:8081"]
    environment: { SCHEMA_REGISTRY_HOST_NAME: registry, SCHEMA_REGISTRY_KAFKASTORE_BOOTSTRAP_SERVERS: 'broker-1:19092,broker-2:19092' }
`,
  ),
  {
    name: 'logs-with-certificates',
    texts: {
      'compose.yml': `version: "2.4"
services:
  setup:
    image: docker.elastic.co/elasticsearch/elasticsearch:\${STACK_VERSION}
    volumes: [certs:/usr/share/elasticsearch/config/certs]
    user: "0"
    command: >
      bash -c '
        if [ x\${ELASTIC_PASSWORD} == x ]; then
          echo "Set the ELASTIC_PASSWORD environment variable in the .env file";
          exit 1;
        fi;
        if [ ! -f config/certs/ca.zip ]; then
          bin/elasticsearch-certutil ca --silent --pem -out config/certs/ca.zip;
        fi;
        until curl -s --cacert config/certs/ca/ca.crt https://es01:9200 | grep -q "missing authentication credentials"; do sleep 30; done;
        echo "All done!";
      '
    healthcheck: { test: ["CMD-SHELL", "[ -f config/certs/es01/es01.crt ]"], interval: 1s, timeout: 5s, retries: 120 }
  es01:
    depends_on: { setup: { condition: service_healthy } }
    image: docker.elastic.co/elasticsearch/elasticsearch:\${STACK_VERSION}
    volumes: [certs:/usr/share/elasticsearch/config/certs, esdata01:/usr/share/elasticsearch/data]
    ports: ["\${ES_PORT}:9200"]
    environment:
      - node.name=es01
      - cluster.name=\${CLUSTER_NAME}
      - bootstrap.memory_lock=true
      - ELASTIC_PASSWORD=\${ELASTIC_PASSWORD}
      - xpack.security.http.ssl.key=certs/es01/es01.key
      - ES_JAVA_OPTS=-Xms512m -Xmx512m
    mem_limit: \${MEM_LIMIT}
    ulimits: { memlock: { soft: -1, hard: -1 } }
    healthcheck:
      test: ["CMD-SHELL", "curl -s --cacert config/certs/ca/ca.crt https://localhost:9200 | grep -q 'missing authentication credentials'"]
      interval: 10s
      timeout: 10s
      retries: 120
  kibana:
    depends_on: { es01: { condition: service_healthy } }
    image: docker.elastic.co/kibana/kibana:\${STACK_VERSION}
    ports: ["\${KIBANA_PORT}:5601"]
    environment: [SERVERNAME=kibana, "ELASTICSEARCH_HOSTS=https://es01:9200"]
    mem_limit: \${MEM_LIMIT}
  logstash:
    build: { context: logstash/, args: { ELASTIC_VERSION: "\${STACK_VERSION}" } }
    volumes: ["./logstash/pipeline:/usr/share/logstash/pipeline:ro,Z"]
    ports: [5044:5044, 50000:50000/tcp, 50000:50000/udp, "9600:9600"]
volumes: { certs: { driver: local }, esdata01: { driver: local } }
`,
      'logstash/Dockerfile': 'FROM scratch\n',
      '.env': `# Password for the 'elastic' user (at least 6 characters)
ELASTIC_PASSWORD=changeme
STACK_VERSION=8.12.0
CLUSTER_NAME=docker-cluster
ES_PORT=9200
#ES_PORT=127.0.0.1:9200
KIBANA_PORT=5601
MEM_LIMIT=1073741824
`,
    },
  },
  {
    name: 'web-with-celery-and-flower',
    texts: {
      'docker-compose.yml': `version: '3.8'
services:
  web:
    build: ./project
    ports: [8004:8000]
    command: uvicorn main:app --host 0.0.0.0 --reload
    volumes: [./project:/usr/src/app]
    environment: [CELERY_BROKER_URL=redis://redis:6379/0, CELERY_RESULT_BACKEND=redis://redis:6379/0]
    depends_on: [redis]
  worker:
    build: ./project
    command: celery -A worker.celery worker --loglevel=info --logfile=logs/celery.log
    volumes: [./project:/usr/src/app]
    env_file: [.envs/common, .envs/worker]
    depends_on: [web, redis]
  redis: { image: "redis:7" }
  dashboard:
    build: ./project
    command: celery --broker=redis://redis:6379/0 flower --port=5555
    ports: [5556:5555]
    depends_on: [web, redis, worker]
`,
      'docker-compose.override.yml': `version: '3.8'
services:
  web: { environment: { CELERY_BROKER_URL: "redis://redis:6379/9", DEBUG: 1 }, ports: ["5678:5678"] }
  worker: { command: [celery, -A, worker.celery, worker, --concurrency, "1"] }
`,
      'project/Dockerfile': 'FROM scratch\n',
      '.envs/common': 'CELERY_BROKER_URL=redis://redis:6379/0\nTZ=UTC\n',
      '.envs/worker': 'TZ=Europe/Vienna\nC_FORCE_ROOT=true\n',
    },
    files: ['docker-compose.yml', 'docker-compose.override.yml'],
  },
  one(
    'objects-on-four-servers',
    `version: '3.7'
x-minio-common: &minio-common
  image: quay.io/minio/minio:RELEASE.2024-01-01
  command: server --console-address ":9001" http://minio{1...4}/data{1...2}
  expose: ["9000", "9001"]
  healthcheck: { test: ["CMD", "mc", "ready", "local"], interval: 5s, timeout: 5s, retries: 5 }
services:
  minio1: { <<: *minio-common, hostname: minio1, volumes: ["data1-1:/data1", "data1-2:/data2"] }
  minio2: { <<: *minio-common, hostname: minio2, volumes: ["data2-1:/data1", "data2-2:/data2"] }
  minio3: { <<: *minio-common, hostname: minio3, volumes: ["data3-1:/data1", "data3-2:/data2"] }
  minio4: { <<: *minio-common, hostname: minio4, volumes: ["data4-1:/data1", "data4-2:/data2"] }
  nginx:
    image: nginx:1.19.2-alpine
    hostname: nginx
    volumes: ["./nginx.conf:/etc/nginx/nginx.conf:ro"]
    ports: ["9000:9000", "9001:9001"]
    depends_on: [minio1, minio2, minio3, minio4]
volumes: { data1-1: , data1-2: , data2-1: , data2-2: , data3-1: , data3-2: , data4-1: , data4-2: }
`,
  ),
  {
    name: 'telemetry-shop',
    texts: {
      'compose.yml': `x-default-logging: &logging
  driver: "json-file"
  options: { max-size: "5m", max-file: "2", tag: "{{.Name}}" }
networks: { default: { name: telemetry-shop, driver: bridge } }
services:
  ad:
    image: \${IMAGE_NAME}:\${DEMO_VERSION}-ad
    container_name: ad
    build: { context: ./, dockerfile: "\${AD_DOCKERFILE}", cache_from: ["\${IMAGE_NAME}:latest-ad"] }
    deploy: { resources: { limits: { memory: 300M } } }
    restart: unless-stopped
    ports: ["\${AD_PORT}"]
    environment:
      - AD_PORT
      - FLAGD_HOST
      - OTEL_EXPORTER_OTLP_ENDPOINT=http://\${OTEL_COLLECTOR_HOST}:\${OTEL_COLLECTOR_PORT_HTTP}
      - OTEL_RESOURCE_ATTRIBUTES=\${OTEL_RESOURCE_ATTRIBUTES},service.criticality=low
      - OTEL_SERVICE_NAME=ad
    depends_on: { otel-collector: { condition: service_started }, flagd: { condition: service_started } }
    logging: *logging
  cart:
    image: \${IMAGE_NAME}:\${DEMO_VERSION}-cart
    ports: ["\${CART_PORT}"]
    environment: [CART_PORT, "VALKEY_ADDR=valkey-cart:6379", "ASPNETCORE_URLS=http://*:\${CART_PORT}"]
    depends_on: { valkey-cart: { condition: service_started }, otel-collector: { condition: service_started } }
  flagd:
    image: ghcr.io/open-feature/flagd:v0.11.1
    command: ["start", "--uri", "file:./etc/flagd/demo.flagd.json"]
    ports: [8013, 8016]
    volumes: [./src/flagd:/etc/flagd]
    deploy: { resources: { limits: { memory: 75M } } }
  otel-collector:
    image: otel/opentelemetry-collector-contrib:0.120.0
    command: ["--config=/etc/otelcol-config.yml", "--config=/etc/otelcol-config-extras.yml"]
    user: 0:0
    volumes:
      - \${HOST_FILESYSTEM}:/hostfs:ro
      - \${DOCKER_SOCK}:/var/run/docker.sock:ro
      - \${OTEL_COLLECTOR_CONFIG}:/etc/otelcol-config.yml
    ports: ["\${OTEL_COLLECTOR_PORT_GRPC}", "\${OTEL_COLLECTOR_PORT_HTTP}"]
    environment: [HOST_FILESYSTEM, OTEL_COLLECTOR_HOST, "GOMEMLIMIT=160MiB"]
  valkey-cart: { image: valkey/valkey:8.1-alpine, user: valkey, ports: ["6379"], logging: *logging }
`,
      '.env': `IMAGE_NAME=ghcr.io/example/demo
DEMO_VERSION=latest
AD_PORT=9555
AD_DOCKERFILE=./src/ad/Dockerfile
CART_PORT=7070
FLAGD_HOST=flagd
HOST_FILESYSTEM=/
DOCKER_SOCK=/var/run/docker.sock
OTEL_COLLECTOR_HOST=otel-collector
OTEL_COLLECTOR_PORT_GRPC=4317
OTEL_COLLECTOR_PORT_HTTP=4318
OTEL_COLLECTOR_CONFIG=./src/otel-collector/otelcol-config.yml
OTEL_RESOURCE_ATTRIBUTES=service.namespace=demo,service.version=\${DEMO_VERSION}
`,
    },
  },
  one(
    'watched-node',
    `version: '3.8'
services:
  prometheus:
    image: prom/prometheus:v2.45.0
    command:
      - '--config.file=/etc/prometheus/prometheus.yml'
      - '--web.enable-lifecycle'
    volumes: ["./prometheus:/etc/prometheus", prometheus_data:/prometheus]
    ports: ["9090:9090"]
    labels: { org.label-schema.group: "monitoring" }
  node-exporter:
    image: prom/node-exporter:v1.6.0
    command:
      - '--path.rootfs=/rootfs'
      - '--collector.filesystem.ignored-mount-points=^/(sys|proc|dev|host|etc)($$|/)'
    volumes: ["/proc:/host/proc:ro", "/sys:/host/sys:ro", "/:/rootfs:ro"]
    expose: [9100]
  grafana:
    image: grafana/grafana:10.0.1
    environment:
      - GF_SECURITY_ADMIN_USER=\${ADMIN_USER:-admin}
      - GF_SECURITY_ADMIN_PASSWORD=\${ADMIN_PASSWORD:?err}
      - GF_USERS_ALLOW_SIGN_UP=false
    volumes: [grafana_data:/var/lib/grafana, "./grafana/provisioning:/etc/grafana/provisioning"]
    ports: ["3000:3000"]
    depends_on: [prometheus]
volumes: { prometheus_data: {}, grafana_data: {} }
`,
    { env: { ADMIN_PASSWORD: 'a$b' } },
  ),
];
