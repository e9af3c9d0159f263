import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { apiContracts } from '#app.ts'
import { isoNow, isPostgres } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { ServedEndpoint } from '#core/schemas.ts'
import { secondStepCheck } from '#features/account/second-step-rule.ts'
import * as sessions from '#features/people/sessions.ts'
import { deep } from '#tests/deep.ts'
import type { TestApp, TestClient } from '#tests/harness.ts'

/** The fixed seed, with which every test run tries the same inputs. */
const FIXED_SEED = 20_261_121

/**
 * The seeds of the generated inputs: a fixed one, and one that is new in each run. A failed test names its
 * seed. The environment variables FUZZ_SEED (one seed instead of both) and FUZZ_RUNS (another number of inputs
 * for each seed) repeat it, or try more.
 */
const seeds = process.env.FUZZ_SEED ? [Number(process.env.FUZZ_SEED)] : [FIXED_SEED, Date.now() % 2 ** 31]
const RUNS = Number(process.env.FUZZ_RUNS ?? (deep ? 25 : 2))

type FuzzOptions<Input> = Pick<fc.Parameters<Input>, 'examples'> & {
  /** The number of inputs, as a multiple of the usual number. */
  share?: number
}

/** Expects that a property holds for generated inputs of each seed. */
export async function fuzz<Input>(
  property: fc.IAsyncProperty<Input>,
  { share = 1, ...more }: FuzzOptions<Input> = {},
) {
  for (const seed of seeds) await fc.assert(property, { seed, numRuns: Math.ceil(RUNS * share), ...more })
}

export const fuzzedEndpoints = Object.entries(apiContracts).flatMap(([feature, contract]) =>
  Object.entries(contract).map(([name, endpoint]) => ({
    call: `${feature}.${name}`,
    endpoint: endpoint as ServedEndpoint,
  })),
)

/**
 * Creates HTTP clients of a visitor, a member and an admin, and creates posts, messages and groups that they
 * can use. `restored(role)` returns the client of a role, after it has restored the sessions and the admin
 * rights that an earlier request may have changed.
 */
export async function createRoles(context: TestApp) {
  // Turns off SQLite's syncing to disk, which would slow down thousands of requests.
  if (!isPostgres(context.db)) await sql`pragma synchronous = off`.execute(context.db)
  const { Ada, Ben, Cleo } = await context.members('Ada', 'Ben', 'Cleo')
  const visitor = context.visitor()
  await visitor.get('/sanctum/csrf-cookie')
  const people: Record<string, TestClient> = { visitor, member: Ben, admin: Ada }
  const jars = Object.fromEntries(Object.entries(people).map(([role, { jar }]) => [role, new Map(jar)]))
  for (const [one, other] of [
    [Ada, Ben],
    [Ben, Ada],
    [Cleo, Ben],
  ] as const)
    await one.post(`/api/follow/${other.id}`)
  for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await Ben.post('/api/posts', { text })
    await Ben.post('/api/send-private-message', { input: text, targetUserId: Ada.id })
    const { body } = await Ada.post('/api/groups', { name: text })
    await Ada.post(`/api/groups/${body.group.id}/add-user`, { user_id: Ben.id })
  }
  const tokens = [Ada, Ben].map(({ id, jar }) => ({ id, token: jar.get('engawa_session')! }))
  const { find } = sessions.createStore(context.context, secondStepCheck)
  async function restored(role: string) {
    for (const [name, value] of jars[role]!) people[role]!.jar.set(name, value)
    for (const { id, token } of tokens) {
      const known = await find(token)
      if (known && known.me.is_admin === (id === Ada.id)) continue
      await transaction(context.db, async (tx) => {
        await sql`delete from suspensions`.execute(tx)
        await sql`delete from deletion_suspensions`.execute(tx)
        await sql`delete from admins where user_id <> ${Ada.id}`.execute(tx)
        await sql`insert into admins (user_id, created_at) values (${Ada.id}, ${isoNow()}) on conflict do nothing`.execute(
          tx,
        )
        await sessions.end(tx, context.context.realtime, token)
        await sessions.add(tx, id, token)
      })
    }
    return people[role]!
  }
  return { restored, roles: fc.constantFrom('visitor', 'member', 'member', 'admin', 'admin', 'admin') }
}

/**
 * Expects that a response is a success, or an error with a status below 500 in the format that section 1 of
 * the API document describes.
 */
export function expectValidAnswer({ status, body }: { status: number; body: unknown }) {
  const shown = JSON.stringify(body)?.slice(0, 300)
  expect(status, shown).toBeLessThan(500)
  if (status < 400) return
  const { message, errors, ...more } = body as { message: unknown; errors?: Record<string, unknown> }
  expect(message, shown).toMatch(/\S/)
  expect(more, shown).toEqual({})
  // Expects errors of single fields only if the status is 422, or 400 in the Pusher HTTP API.
  if (status !== 422 && (status !== 400 || !errors)) return expect(errors, shown).toBeUndefined()
  expect(Object.keys(errors!).length, shown).toBeGreaterThan(0)
  for (const list of Object.values(errors!))
    expect(list, shown).toEqual([expect.stringMatching(/\S/), ...(list as string[]).slice(1)])
}
