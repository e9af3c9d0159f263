import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { handleBase, nameSkeleton, toHandle } from '#features/people/handles.ts'
import { fillHandles } from '#features/people/model.ts'
import { createTestApp, dialects, rowsOf, type TestApp } from '#tests/harness.ts'

test.each([
  ['Aya', 'aya'],
  ['Aya Sato', 'ayasato'],
  ['山田 花子', '山田花子'],
  ['Ｂｅｎ・Ö', 'benö'],
  ['@echo', 'echo'],
  ['🌸', 'member'],
  ['x'.repeat(255), 'x'.repeat(24)],
])('%s is called @%s', (name, handle) => {
  expect(handleBase(name)).toBe(handle)
  expect(toHandle(handle)).toBe(handle)
})

test('names that look alike have one skeleton, and others have not', () => {
  for (const [one, other] of [
    ['Aya', 'AYA'],
    ['Aya', 'Ауа'],
    ['Ben O.', 'ben 0'],
    ['Aya Sato', 'AyaSato'],
    ['カナ', '力ナ'],
    ['Ａｙａ', 'Aya'],
  ] as const)
    expect(nameSkeleton(one), other).toBe(nameSkeleton(other))
  for (const [one, other] of [
    ['Aya', 'Ava'],
    ['か', 'が'],
    ['Ann', 'Ann 🌸'],
    ['José', 'Jose'],
  ] as const)
    expect(nameSkeleton(one), other).not.toBe(nameSkeleton(other))
})

describe.each(dialects)('handles on %s', (dialect) => {
  async function register(app: TestApp, name: string) {
    const actor = app.visitor()
    await actor.get('/sanctum/csrf-cookie')
    const password = 'correct horse'
    const email = `m${Math.random()}@engawa.example`
    const account = { name, email, password, password_confirmation: password }
    expect((await actor.post('/api/register', account)).status).toBe(200)
    return actor
  }

  test('are made of names, are unique, and are shown where a name is shared', async () => {
    const app = await createTestApp({ dialect })
    const people = []
    for (const name of ['Aya', 'AYA', 'Ауа', 'Ben']) people.push(await register(app, name))
    const distinct = ({ handle, shares_name }: Record<string, unknown>) => [handle, shares_name]
    const expected = [
      ['aya', true],
      ['aya2', true],
      ['ауа', true],
      ['ben', false],
    ]
    const listed = await people[3]!.get('/api/users')
    expect(listed.body.map(distinct)).toEqual(expected)
    for (const [index, person] of people.entries())
      for (const path of ['/api/user', '/api/profile', `/api/people/${index + 1}`]) {
        const { status, body } = await person.get(path)
        if (status === 200) expect(distinct(body.user ?? body), path).toEqual(expected[index])
      }
    const crowd = await Promise.all(['Cleo', 'Cleo', 'Cleo', 'Cleo'].map((name) => register(app, name)))
    const handles = await Promise.all(
      crowd.map(async (person) => (await person.get('/api/user')).body.handle),
    )
    expect(handles.sort()).toEqual(['cleo', 'cleo2', 'cleo3', 'cleo4'])
  })

  test('are changed by their owners, and stay with a new name', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const save = (handle: unknown) => Ann.post('/api/profile', { name: 'Ann', handle })
    expect((await save(' @Ann_Smith7 ')).body.user.handle).toBe('ann_smith7')
    expect((await save('ann_smith7')).status).toBe(200)
    for (const handle of [null, '', undefined])
      expect((await save(handle)).body.user.handle).toBe('ann_smith7')
    expect((await Ann.post('/api/profile', { name: 'Anna' })).body.user.handle).toBe('ann_smith7')
    for (const handle of [
      'ben',
      '@BEN',
      'ｂｅｎ',
      'a b',
      'a-b',
      '@',
      '@@a',
      '😀',
      'x'.repeat(31),
      '\u0301a',
      7,
    ])
      expect(await save(handle), String(handle)).toMatchObject({
        status: 422,
        body: { errors: { handle: [expect.any(String)] } },
      })
    expect((await Ben.post('/api/profile', { name: 'Ben', handle: 'ann' })).body.user.handle).toBe('ann')
    expect((await rowsOf(app.db, 'users')).map(({ handle }) => handle).sort()).toEqual(['ann', 'ann_smith7'])
  })

  test('are filled in for accounts from before', async () => {
    const app = await createTestApp({ dialect })
    await app.members('Ann', 'Ben', 'Chika')
    await transaction(app.db, async (tx) => {
      await tx
        .updateTable('users')
        .set({ handle: null, name_skeleton: null, name: 'Aya' })
        .where('id', '>', 1)
        .execute()
    })
    await fillHandles(app.db)
    const rows = (await rowsOf(app.db, 'users')).sort((a, b) => Number(a.id) - Number(b.id))
    expect(rows.map(({ handle, name_skeleton }) => [handle, name_skeleton])).toEqual([
      ['ann', 'ann'],
      ['aya', 'aya'],
      ['aya2', 'aya'],
    ])
  })
})
