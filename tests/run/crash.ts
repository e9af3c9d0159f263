import { runCrashTest } from '#tests/crashes.ts'
import { serverFolder, stopServers } from '#tests/server.ts'
import { createDatabase, startPostgres } from '#tests/services.ts'

// The command `npm run crash -- [rounds] [seed] [postgres]` kills a server under load in each round. Then it
// compares the writes that the server had acknowledged with the stored rows and files.

const [rounds = '100', seed = String(Date.now() % 1e6), store = 'sqlite'] = process.argv.slice(2)
const postgres = store === 'postgres' ? await startPostgres() : null
const env = {
  DATA_DIR: await serverFolder(),
  ...(postgres && { DATABASE_URL: await createDatabase(postgres.url) }),
}
console.log(`${rounds} times on ${store}, seed ${seed}`)
const { wrong, ...tally } = await runCrashTest({
  rounds: Number(rounds),
  seed: Number(seed),
  env,
  say: console.log,
})
console.log(JSON.stringify(tally, null, 2))
for (const line of wrong) console.log(`WRONG: ${line}`)
console.log(wrong.length ? `${wrong.length} wrong.` : 'Everything that was acknowledged is there, once.')
await postgres?.stop()
await stopServers()
process.exitCode = wrong.length ? 1 : 0
