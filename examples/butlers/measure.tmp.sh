export NODE_OPTIONS=
t() { local label=$1; shift; local out=; for i in 1 2 3 4 5 6 7; do s=$EPOCHREALTIME; PORT=18790 "$@" > $LOGS/t.log 2>&1 & p=$!; until grep -q 'listening on' $LOGS/t.log; do read -rt 0.002 -u 9 || true; done; e=$EPOCHREALTIME; out+="$(( (${e/./}-${s/./})/1000 )) "; r=$(grep VmRSS /proc/$p/status | tr -dc 0-9); s=$EPOCHREALTIME; kill $p; wait $p; e=$EPOCHREALTIME; st=$(( (${e/./}-${s/./})/1000 )); done; echo "$label: start $out ms, rss $((r/1024)) MB, stop $st ms"; }
exec 9<> <(:)
b=${DATABASE_URL/postgres@/health@}
export ANTHROPIC_BASE_URL=http://127.0.0.1:18701
DATABASE_URL=$b t butler node src/butler.ts roster/health
t model node src/scripted-model.ts
DATABASE_URL=${DATABASE_URL/postgres@/switchboard@} BUTLERS=health=http://127.0.0.1:1 t switchboard node src/switchboard.ts
for i in 1 2 3; do s=$EPOCHREALTIME; node scripts/migrate.ts > $LOGS/t.log; e=$EPOCHREALTIME; echo "migrate again $(( (${e/./}-${s/./})/1000 ))"; done; cat $LOGS/t.log
echo 'ALTER TABLE x ADD y int;' > roster/home/migrations/002_x.sql; node scripts/migrate.ts | tail -1; echo "exit ${PIPESTATUS[0]}"
printf 'CREATE TABLE ok (a int);\n\nSELECT nope FROM ok;' > roster/home/migrations/002_x.sql; node scripts/migrate.ts | tail -1; psql -Atc "select to_regclass('home.ok') is null" $DATABASE_URL; rm roster/home/migrations/002_x.sql
sed -i 's/$/ /' roster/home/migrations/001*.sql; node scripts/migrate.ts | tail -1;  sed -i 's/ $//' roster/home/migrations/001*.sql
echo 'x' >> roster/home/butler.toml; node scripts/migrate.ts | tail -1; sed -i '$d' roster/home/butler.toml
psql -Atc "\d health.symptoms" -c "\dt *.sessions" $DATABASE_URL | head -30
PORT=x node src/butler.ts roster/health; PORT=1 node src/butler.ts; PORT=18701 DATABASE_URL=$b node src/butler.ts roster/health;  PORT=18799 node src/butler.ts roster/health; PORT=18799 DATABASE_URL=postgres://h@127.0.0.1:1/x node src/butler.ts roster/health
