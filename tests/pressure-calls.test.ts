import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createTestApp, type Dialect, dialects } from '#tests/harness.ts'
import { chosen, crowd, endpoints, expectSane, SEED } from '#tests/pressure.ts'
import { asked, bodies, validFields } from '#tests/pressure-inputs.ts'

vi.setConfig({ testTimeout: 600_000 })

const json = { 'content-type': 'application/json' }
const writing = endpoints.filter(({ endpoint }) => endpoint.method !== 'GET')
/** A path about the thing with this id. */
const pathTo = (path: string) => path.replace(/:\w+/g, '1')

async function place(dialect: Dialect) {
  const context = await createTestApp({ dialect })
  return { ...context, ...(await crowd(context)), faults: vi.spyOn(context.app.log, 'error') }
}

describe.each(dialects)(`whatever a call is given on %s (seed ${SEED})`, (dialect) => {
  test('it is answered in its own shape, or refused in the one shape', async () => {
    const { restored, roles, faults } = await place(dialect)
    for (const { call, endpoint } of endpoints)
      await fc.assert(
        fc.asyncProperty(roles, asked(endpoint), async (role, { url, body }) => {
          const actor = await restored(role)
          const answer = await actor.send(
            endpoint.method,
            url,
            ...(body ? ([Buffer.from(body), json] as const) : []),
          )
          expectSane(answer)
          expect(faults.mock.calls.splice(0), call).toEqual([])
        }),
        chosen(),
      )
  })

  test('as a form, whole or broken, or as what it is not, leaves nothing behind', async () => {
    const { restored, roles, faults, folder } = await place(dialect)
    for (const { call, endpoint } of endpoints)
      await fc.assert(
        fc.asyncProperty(roles, bodies, async (role, { type, body }) => {
          const actor = await restored(role)
          expectSane(await actor.send(endpoint.method, pathTo(endpoint.path), body, { 'content-type': type }))
          expect(faults.mock.calls.splice(0), call).toEqual([])
          if (endpoint.traits.files)
            await expect
              .poll(() => readdir(join(folder, 'scratch')), { interval: 5, timeout: 10_000 })
              .toEqual([])
        }),
        chosen(endpoint.traits.files ? 4 : 0.5),
      )
  })

  test('is refused without the right token, before anything else', async () => {
    const { restored, roles } = await place(dialect)
    const tokens = fc.oneof(
      fc.constantFrom('', ' ', 'null', 'x'.repeat(43), 'x'.repeat(5000), '%00', 'ÿ'),
      fc.base64String({ maxLength: 60 }),
    )
    for (const { endpoint } of writing)
      await fc.assert(
        fc.asyncProperty(roles, tokens, validFields(endpoint), async (role, token, fields) => {
          const actor = await restored(role)
          const answer = await actor.send(endpoint.method, pathTo(endpoint.path), fields, {
            'x-xsrf-token': token,
          })
          expect(answer).toMatchObject({ status: 419, body: { message: 'CSRF token mismatch.' } })
        }),
        chosen(0.2),
      )
  })
})
