import { crashes } from '#tests/crashes.ts'
import { endAll, freshFolder } from '#tests/server.ts'
import { createDatabase, startOwnPostgres } from '#tests/services.ts'

// npm run crash -- [rounds] [seed] [postgres] kills a server under load in each round, and compares what it
// acknowledged with what is stored.

const [rounds = '100', seed = String(Date.now() % 1e6), store = 'sqlite'] = process.argv.slice(2)
const postgres = store === 'postgres' ? await startOwnPostgres() : null
const env = {
  DATA_DIR: await freshFolder(),
  ...(postgres && { DATABASE_URL: await createDatabase(postgres.url) }),
}
console.log(`${rounds} times on ${store}, seed ${seed}`)
const { wrong, ...tally } = await crashes({
  rounds: Number(rounds),
  seed: Number(seed),
  env,
  say: console.log,
})
console.log(JSON.stringify(tally, null, 2))
for (const line of wrong) console.log(`WRONG: ${line}`)
console.log(wrong.length ? `${wrong.length} wrong.` : 'Everything that was acknowledged is there, once.')
await postgres?.stop()
await endAll()
process.exitCode = wrong.length ? 1 : 0
