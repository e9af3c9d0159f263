import * as v from 'valibot'
import { expect, test } from 'vitest'
import { apiContracts } from '#app.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp } from '#tests/harness.ts'

// Tests which endpoints the OpenAPI document lists. tests/harness.ts compares the responses of all tests
// with the document.

// spec: 7.1
test('the document lists every endpoint of every contract', async () => {
  const { visitor } = await createTestApp()
  const { body } = await visitor().get('/api/openapi.json')
  const documentedCalls = Object.entries(body.paths as Record<string, object>).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const contractCalls = Object.values(apiContracts).flatMap((contract) =>
    Object.values(contract).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  )
  expect(documentedCalls.sort()).toEqual(contractCalls.sort())
})

test('its examples fit the schemas', () => {
  const examples = Object.values(apiContracts)
    .flatMap((contract) => Object.values(contract))
    .flatMap(({ path, input, output, options: { example } }) =>
      example ? [{ path, input, output, example }] : [],
    )
  expect(examples.length).toBeGreaterThan(2)
  for (const { path, input, output, example } of examples) {
    expect(v.is(input, example.query), path).toBe(true)
    expect(v.is(v.strictObject({ body: output }), { body: example.answer }), path).toBe(true)
  }
})

test('it describes input, output and access of each endpoint', async () => {
  const { visitor } = await createTestApp()
  const { paths } = (await visitor().get('/api/openapi.json')).body
  const create = paths['/api/posts'].post
  expect(create.security).toEqual([{ session: [], token: [] }])
  expect(create.requestBody.content['multipart/form-data'].schema.properties).toMatchObject({
    'images[]': { type: 'array', maxItems: 4 },
  })
  expect(Object.keys(create.responses)).toEqual([
    '201',
    '401',
    '403',
    '413',
    '415',
    '419',
    '421',
    '422',
    '429',
    '500',
    '503',
    '507',
  ])
  expect(paths['/api/posts/{id}/like'].put.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
  ])
  expect(paths['/api/posts'].get).toMatchObject({
    parameters: [{ name: 'before' }, { name: 'after' }, { name: 'limit' }],
    responses: { 200: { headers: { Link: {} } } },
  })
  expect(paths['/api/posts'].get.security).toBeUndefined()
})

test('a response that the document does not describe fails a test', async () => {
  const { members, db } = await createTestApp()
  const { Ann } = await members('Ann')
  await transaction(db, (tx) => tx.updateTable('users').set({ created_at: 'yesterday' }).execute())
  await expect(Ann.get('/api/user')).rejects.toThrow('created_at must match format "date-time"')
})
