import { setTimeout as sleep } from 'node:timers/promises'
import { lastingDifferences, type ServerEnv } from '#tests/crash-comparison.ts'
import { CrashMember, type CrashResult, CrashWriters } from '#tests/crash-writers.ts'
import { startServer } from '#tests/server.ts'

interface CrashOptions {
  rounds: number
  /** The seed for the random times of the kills and the random actions of the members. */
  seed: number
  env: ServerEnv
  /** A function that is called after each round with a line of text, which reports on the round. */
  say?: (line: string) => void
}

const PEOPLE = 4

/**
 * Kills the server at random times while members write, and starts it again. After each kill, compares the
 * stored data with the writes that the server has confirmed. Returns the numbers of kills and of confirmed
 * writes, and in `wrong` a text for each difference.
 */
export async function runCrashTest({
  rounds,
  seed,
  env,
  say = () => {},
}: CrashOptions): Promise<CrashResult> {
  const people = Array.from({ length: PEOPLE }, (_, n) => new CrashMember(`Person${n}`))
  const writers = new CrashWriters(people, seed)
  const { ledger, tally } = writers
  const settings = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...env }
  let server = await startServer(settings)
  await openChats(people, server.url)
  for (let round = 1; round <= rounds; round++) {
    const over = { is: false }
    const { url } = server
    const writes = people.map((person, n) => writers.write(person, url, `${round}.${n}`, over))
    await sleep(30 + writers.chance(900))
    await server.stop('SIGKILL')
    over.is = true
    await Promise.all(writes)
    tally.kills++
    server = await startServer(settings)
    await writers.sendAgain(server.url)
    const faults = await lastingDifferences(ledger, env, people[0]!, server.url)
    tally.wrong.push(...faults.map((line) => `round ${round}: ${line}`))
    say(
      `round ${round}: ${JSON.stringify(tally.acknowledged)}, ${tally.cut} cut off, ${tally.wrong.length} wrong`,
    )
  }
  await server.stop()
  return tally
}

/**
 * Registers all members, makes each of them follow all others, and makes each of them send a message to all
 * others. Then their chats stay open, even if one of them later unfollows another.
 */
async function openChats(people: readonly CrashMember[], url: string) {
  const pairs = people.flatMap((one) =>
    people.filter((other) => other !== one).map((other) => [one, other] as const),
  )
  for (const person of people) await person.register(url)
  for (const [one, other] of pairs) await one.call(url, 'POST', `/api/follow/${other.id}`)
  for (const [one, other] of pairs)
    await one.call(url, 'POST', '/api/send-private-message', {
      input: 'Hello',
      targetUserId: other.id,
      client_id: `${one.id} ${other.id}`,
    })
}
