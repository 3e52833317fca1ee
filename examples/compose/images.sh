#!/bin/sh
# Makes stand-ins for the images of the compose file from programs of this machine, where no registry can be reached.
# An image that is there already is left alone. `images.sh remove` removes the stand-ins, and nothing else.
set -eu
label=shakedown.stand-in

if [ "${1:-}" = remove ]; then
  for image in python:3.12-slim redis:7 postgres:16; do
    [ "$(docker image inspect --format "{{index .Config.Labels \"$label\"}}" "$image" 2>/dev/null)" = yes ] || continue
    docker rmi --force "$image" >/dev/null
  done
  exit 0
fi

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

has() {
  docker image inspect "$1" >/dev/null 2>&1 && echo "$1 is there already, and left alone"
}

need() {
  for file in "$@"; do
    [ -e "$file" ] && continue
    echo "there is no $file; apt-get install --no-install-recommends python3-psycopg python3-redis redis-server postgresql" >&2
    exit 1
  done
}

# Files, a name on each line, each to its own place below $root, which is the root of the image.
copy() {
  sort -u | tar -chP --hard-dereference -T - | tar -xP --transform "s|^/|$root/|"
}

# Programs, with the libraries that they need.
put() {
  { printf '%s\n' "$@"; ldd "$@" | grep -o '^[^:]*=> /[^ ]*\|^[[:space:]]*/[^ :]* (' | grep -o '/[^ ]*'; } | copy
}

new() {
  root=$stage/$1
  mkdir -p "$root/etc" "$root/var/lib" "$root/run"
  mkdir -m 1777 "$root/tmp"
  printf 'root:x:0:0::/:/bin/sh\npostgres:x:999:999::/var/lib/postgresql:/bin/sh\nredis:x:998:998::/data:/bin/sh\n' >"$root/etc/passwd"
  printf 'root:x:0:\npostgres:x:999:\nredis:x:998:\n' >"$root/etc/group"
  put /bin/sh /bin/cat /bin/ls /bin/mkdir /bin/chown /bin/chmod /bin/rm /bin/sleep /usr/bin/env /usr/bin/id \
    /usr/bin/setpriv /usr/bin/locale /lib/*/libnss_files.so.2
}

# IMAGE CHANGE…
import() {
  image=$1; shift
  for change in "$@"; do set -- "$@" --change "$change"; shift; done
  tar -C "$root" -c . | docker import --change "LABEL $label=yes" "$@" - "$image" >/dev/null
  echo "$image is a stand-in now"
}

python() {
  need /usr/bin/python3 /usr/lib/python3/dist-packages/psycopg /usr/lib/python3/dist-packages/redis
  new python
  put /usr/bin/python3 /lib/*/libpq.so.5 /sbin/ldconfig /etc/ld.so.cache
  stdlib=$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
  put "$stdlib"/lib-dynload/*.so
  find "$stdlib" -name '*.py' -not -path '*/test/*' | copy
  # The libraries, and what they load in their turn.
  /usr/bin/python3 -c '
import sys, psycopg, redis
print(*{module.__file__ for module in sys.modules.values() if "/dist-packages/" in (getattr(module, "__file__", None) or "")}, sep="\n")
' | copy
  find /usr/lib/python3/dist-packages/psycopg /usr/lib/python3/dist-packages/redis -name '*.py' | copy
  mkdir -p "$root/usr/local/bin"
  ln -s /usr/bin/python3 "$root/usr/local/bin/python"
  ln -s /usr/bin/python3 "$root/usr/local/bin/python3"
  import python:3.12-slim 'ENV PATH=/usr/local/bin:/usr/bin:/bin' 'ENV PYTHONDONTWRITEBYTECODE=1' 'CMD ["python3"]'
}

redis() {
  need /usr/bin/redis-server /usr/bin/redis-cli
  new redis
  put /usr/bin/redis-server /usr/bin/redis-cli
  mkdir "$root/data"
  cat >"$root/docker-entrypoint.sh" <<'SH'
#!/bin/sh
set -e
case "$1" in -* | *.conf) set -- redis-server "$@" ;; esac
if [ "$1" = redis-server ]; then
  set -- "$@" --protected-mode no
  if [ "$(id -u)" = 0 ]; then chown -R redis:redis /data; exec setpriv --reuid=998 --regid=998 --clear-groups "$@"; fi
fi
exec "$@"
SH
  chmod 755 "$root/docker-entrypoint.sh"
  import redis:7 'ENV PATH=/usr/bin:/bin' 'WORKDIR /data' 'VOLUME /data' 'EXPOSE 6379' \
    'ENTRYPOINT ["/docker-entrypoint.sh"]' 'CMD ["redis-server"]'
}

postgres() {
  bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
  need "${bin:-/usr/lib/postgresql/16/bin}/initdb"
  version=$(basename "$(dirname "$bin")")
  new postgres
  put "$bin"/postgres "$bin"/initdb "$bin"/pg_ctl "$bin"/psql "$bin"/pg_isready "$bin"/pg_dump
  find -L "$(dirname "$bin")/lib" "/usr/share/postgresql/$version" /usr/share/zoneinfo /usr/lib/locale/C.utf8 \
    -type f -not -path '*/bitcode/*' -not -path '*/zoneinfo/right/*' -not -path '*/zoneinfo/posix/*' | copy
  mkdir -p "$root/var/lib/postgresql/data" "$root/var/run/postgresql" "$root/docker-entrypoint-initdb.d"
  cat >"$root/docker-entrypoint.sh" <<'SH'
#!/bin/sh
set -e
case "$1" in -*) set -- postgres "$@" ;; esac
if [ "$1" = postgres ] && [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres:postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=999 --regid=999 --clear-groups "$0" "$@"
fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -z "$POSTGRES_PASSWORD_FILE" ] || POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  if [ -z "$POSTGRES_PASSWORD" ] && [ "$POSTGRES_HOST_AUTH_METHOD" != trust ]; then
    echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
    exit 1
  fi
  : "${POSTGRES_USER:=postgres}"
  : "${POSTGRES_DB:=$POSTGRES_USER}"
  echo "$POSTGRES_PASSWORD" >/tmp/password
  # shellcheck disable=SC2086
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --encoding=UTF8 --locale=C.UTF-8 $POSTGRES_INITDB_ARGS
  rm /tmp/password
  echo "host all all all ${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}" >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  # On the socket alone: nobody else may find a server that is not ready.
  pg_ctl -w start -o "-c listen_addresses='' -p 5432"
  [ "$POSTGRES_DB" = postgres ] ||
    psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres --set db="$POSTGRES_DB" <<'SQL'
CREATE DATABASE :"db";
SQL
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sql) echo "running $file"; psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f "$file" ;;
      *.sh) echo "running $file"; if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
    esac
  done
  pg_ctl -m fast -w stop
  echo 'PostgreSQL init process complete; ready for start up.'
fi
exec "$@"
SH
  chmod 755 "$root/docker-entrypoint.sh"
  import postgres:16 "ENV PATH=$bin:/usr/bin:/bin" 'ENV PGDATA=/var/lib/postgresql/data' 'ENV LANG=C.UTF-8' \
    'VOLUME /var/lib/postgresql/data' 'EXPOSE 5432' 'ENTRYPOINT ["/docker-entrypoint.sh"]' 'CMD ["postgres"]'
  # An import cannot say it. At SIGTERM it would wait for its clients.
  printf 'FROM postgres:16\nSTOPSIGNAL SIGINT\n' | docker build --quiet --tag postgres:16 - >/dev/null 2>&1
}

has python:3.12-slim || python
has redis:7 || redis
has postgres:16 || postgres
