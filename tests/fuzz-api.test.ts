import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createRoles, expectValidAnswer, fuzz, fuzzedEndpoints } from '#tests/fuzz.ts'
import { fuzzRequest, unusualBody, validInput } from '#tests/fuzz-inputs.ts'
import { createTestApp, type Dialect, databases } from '#tests/harness.ts'

vi.setConfig({ testTimeout: 600_000 })

const json = { 'content-type': 'application/json' }
const writing = fuzzedEndpoints.filter(({ endpoint }) => endpoint.method !== 'GET')
/** Returns the path of an endpoint with 1 in place of each path parameter. */
const pathTo = (path: string) => path.replace(/:\w+/g, '1')

async function createFuzzedApp(dialect: Dialect) {
  const context = await createTestApp({ dialect })
  return {
    ...context,
    ...(await createRoles(context)),
    faults: vi.spyOn(context.app.log, 'error'),
  }
}

describe.each(databases)('requests with any input on %s', (dialect) => {
  test('get a valid response or a standard error, and no error is logged', async () => {
    const { restored, roles, faults } = await createFuzzedApp(dialect)
    for (const { call, endpoint } of fuzzedEndpoints)
      await fuzz(
        fc.asyncProperty(roles, fuzzRequest(endpoint), async (role, { url, body }) => {
          const actor = await restored(role)
          const answer = await actor.send(
            endpoint.method,
            url,
            ...(body ? ([Buffer.from(body), json] as const) : []),
          )
          expectValidAnswer(answer)
          expect(faults.mock.calls.splice(0), call).toEqual([])
        }),
      )
  })

  test('as complete or broken forms, or with a wrong content type, leave no temporary file', async () => {
    const { restored, roles, faults, folder } = await createFuzzedApp(dialect)
    for (const { call, endpoint } of fuzzedEndpoints)
      await fuzz(
        fc.asyncProperty(roles, unusualBody, async (role, { type, body }) => {
          const actor = await restored(role)
          expectValidAnswer(
            await actor.send(endpoint.method, pathTo(endpoint.path), body, { 'content-type': type }),
          )
          expect(faults.mock.calls.splice(0), call).toEqual([])
          if (endpoint.options.files)
            await expect
              .poll(() => readdir(join(folder, 'scratch')), { interval: 5, timeout: 10_000 })
              .toEqual([])
        }),
        { share: endpoint.options.files ? 4 : 0.5 },
      )
  })

  test('without the right token are refused before any other check', async () => {
    const { restored, roles } = await createFuzzedApp(dialect)
    const tokens = fc.oneof(
      fc.constantFrom('', ' ', 'null', 'x'.repeat(43), 'x'.repeat(5000), '%00', 'ÿ'),
      fc.base64String({ maxLength: 60 }),
    )
    const checked = writing.filter(({ endpoint }) => !endpoint.options.needsNoCsrfToken)
    for (const { endpoint } of checked)
      await fuzz(
        fc.asyncProperty(roles, tokens, validInput(endpoint), async (role, token, fields) => {
          const actor = await restored(role)
          const answer = await actor.send(endpoint.method, pathTo(endpoint.path), fields, {
            'x-xsrf-token': token,
          })
          expect(answer).toMatchObject({ status: 419, body: { message: 'CSRF token mismatch.' } })
        }),
        { share: 0.2 },
      )
  })
})
