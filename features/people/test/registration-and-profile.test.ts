import { AsyncLocalStorage } from 'node:async_hooks'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, formData, readRows } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

/**
 * Locks the table `users`, starts `work`, and releases the lock as soon as `waiting` database queries wait
 * for the lock. These queries then run at the same moment.
 */
const runConcurrently = async (db: Db, waiting: number, work: () => Promise<unknown>) => {
  const working: Promise<unknown>[] = []
  const outside = AsyncLocalStorage.snapshot()
  await transaction(db, async (tx) => {
    await sql`lock table users in exclusive mode`.execute(tx)
    working.push(outside(work))
    await eventually(async () => {
      await sql`select pg_stat_clear_snapshot()`.execute(tx)
      const { rows } =
        await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          tx,
        )
      expect(rows).toHaveLength(waiting)
    })
  })
  await working[0]
}

describe.each(dialectsInTurn())('people on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  // spec: 7.5
  test('registration logs in, makes the first account an admin, and sends the mail', async () => {
    const { visitor, context, db } = await open()
    const ann = visitor()
    await ann.get('/sanctum/csrf-cookie')
    const answer = await ann.post('/api/register', {
      name: ' Ann ',
      email: 'Ann@Engawa.example',
      password: 'correct horse',
      password_confirmation: 'correct horse',
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { id: 1, name: 'Ann', email: 'Ann@Engawa.example' }, message: expect.any(String) },
    })
    expect((await ann.get('/api/user')).body).toMatchObject({
      id: 1,
      name: 'Ann',
      is_admin: true,
      email_verified_at: null,
      bio: null,
      profile_image: null,
    })
    await context.jobs.idle()
    expect(await readRows(db, 'jobs')).toMatchObject([
      { kind: 'mail', finished_at: expect.any(String), payload: null },
    ])

    const ben = visitor()
    await ben.register('Ben')
    expect((await ben.get('/api/user')).body.is_admin).toBe(false)
  })

  // spec: 3.8
  test('registration refuses missing and invalid fields, names the field, and creates no account', async () => {
    const { visitor, db } = await open()
    const guest = visitor()
    const given = {
      name: 'Ann',
      email: 'ann@engawa.example',
      password: 'correct horse',
      password_confirmation: 'correct horse',
    }
    expect((await guest.post('/api/register', given)).status).toBe(419)
    await guest.get('/sanctum/csrf-cookie')
    const wrong: [field: string, change: object][] = [
      ['name', { name: undefined }],
      ['name', { name: ' \n ' }],
      ['name', { name: 'n'.repeat(256) }],
      ['name', { name: 'A\0nn' }],
      ['name', { name: ['Ann'] }],
      ['email', { email: '' }],
      ['email', { email: 'ann' }],
      ['email', { email: 'ann@' }],
      ['email', { email: '@engawa.example' }],
      ['email', { email: 'an n@engawa.example' }],
      ['email', { email: 'ann@engawa.example, ben@engawa.example' }],
      ['email', { email: 'ann@engawa.example\r\nbcc: ben@engawa.example' }],
      ['email', { email: `${'a'.repeat(250)}@engawa.example` }],
      ['password', { password: undefined }],
      ['password', { password: 'seven77', password_confirmation: 'seven77' }],
      ['password', { password: 12345678, password_confirmation: 12345678 }],
      ['password', { password_confirmation: 'correct horse ' }],
      ['password', { password_confirmation: undefined }],
    ]
    for (const [field, change] of wrong) {
      const answer = await guest.post('/api/register', { ...given, ...change })
      expect(answer.status, JSON.stringify(change)).toBe(422)
      expect(Object.keys(answer.body.errors)[0], JSON.stringify(change)).toBe(field)
      expect(answer.body.message).toBe(answer.body.errors[field][0])
    }
    const nothing = await guest.post('/api/register', {})
    expect(nothing).toMatchObject({
      status: 422,
      body: { errors: { name: [expect.any(String)], email: expect.anything(), password: expect.anything() } },
    })
    expect((await guest.get('/api/user')).status).toBe(401)
    for (const table of ['users', 'admins', 'sessions', 'jobs'])
      expect(await readRows(db, table), table).toEqual([])

    const longest = {
      ...given,
      name: '😀'.repeat(255),
      password: '  spaces  ',
      password_confirmation: '  spaces  ',
      is_admin: true,
      id: 77,
    }
    expect(await guest.post('/api/register', longest)).toMatchObject({
      status: 200,
      body: { user: { id: 1, name: longest.name } },
    })
    expect((await guest.post('/login', { email: given.email, password: 'spaces' })).status).toBe(422)
    expect((await guest.post('/login', { email: given.email, password: '  spaces  ' })).status).toBe(204)
  })

  test('an address has only one account, whatever its case and however many requests come at once', async () => {
    const { members, visitor, db } = await open()
    await members('Ann')
    const register = async (email: string) => {
      const guest = visitor()
      await guest.get('/sanctum/csrf-cookie')
      return guest.post('/api/register', {
        name: 'Ben',
        email,
        password: 'correct horse',
        password_confirmation: 'correct horse',
      })
    }
    expect(await register('ANN@Engawa.Example')).toMatchObject({
      status: 422,
      body: { errors: { email: ['The email has already been taken.'] } },
    })
    const answers = await Promise.all(
      ['ben@engawa.example', 'Ben@engawa.example', 'BEN@ENGAWA.EXAMPLE', 'ben@engawa.example'].map(register),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
    expect((await readRows(db, 'users')).map(({ email }) => String(email).toLowerCase())).toEqual([
      'ann@engawa.example',
      'ben@engawa.example',
    ])
    expect(await readRows(db, 'jobs')).toHaveLength(2)
    expect(await readRows(db, 'sessions')).toHaveLength(2)
  })

  test('exactly one of several concurrent first registrations becomes an admin', async () => {
    const { visitor, db } = await open()
    const crowd = ['Ann', 'Ben', 'Chika'].map((name) => ({ name, actor: visitor() }))
    const registered = () => Promise.all(crowd.map(({ name, actor }) => actor.register(name)))
    await (dialect === 'postgres' ? runConcurrently(db, crowd.length, registered) : registered())
    const known = await Promise.all(
      crowd.map(async ({ actor }) => (await actor.get('/api/user')).body.is_admin),
    )
    expect(known.filter(Boolean)).toHaveLength(1)
    expect(await readRows(db, 'admins')).toHaveLength(1)
  })

  // spec: 3.9
  test('a profile update changes name and bio, and no protected field', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const before = (await Ben.get('/api/profile')).body
    expect(before).toEqual((await Ben.get('/api/user')).body)
    const record = {
      ...before,
      id: Ann.id,
      email: 'x@engawa.example',
      is_admin: true,
      profile_image: '/x.webp',
      email_verified_at: before.created_at,
    }
    const answer = await Ben.post('/api/profile', { ...record, name: ' Ben Ö ', bio: 'One\r\ntwo ' })
    const after = { ...before, name: 'Ben Ö', bio: 'One\ntwo' }
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Profile updated successfully!', user: after },
    })
    expect((await Ben.get('/api/user')).body).toEqual(after)
    expect((await Ann.get('/api/user')).body).toMatchObject({ name: 'Ann', is_admin: true })
    expect(await Ben.post('/api/profile', { name: 'Ben' })).toMatchObject({
      status: 200,
      body: { user: { name: 'Ben', bio: 'One\ntwo' } },
    })
    for (const bio of [null, '', '  '])
      expect((await Ben.post('/api/profile', { name: 'Ben', bio })).body.user.bio).toBeNull()
    expect((await Ben.post('/api/profile', { name: 'Ben', bio: '語'.repeat(1000) })).status).toBe(200)

    const wrong: [string, object][] = [
      ['name', { name: ' ' }],
      ['name', { bio: 'x' }],
      ['name', { name: 'n'.repeat(256) }],
      ['bio', { name: 'Ben', bio: 'x'.repeat(1001) }],
      ['bio', { name: 'Ben', bio: 7 }],
    ]
    for (const [field, body] of wrong)
      expect(await Ben.post('/api/profile', body)).toMatchObject({
        status: 422,
        body: { errors: { [field]: [expect.any(String)] } },
      })
    expect((await readRows(db, 'users')).map(({ name }) => name).sort()).toEqual(['Ann', 'Ben'])
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    expect((await guest.get('/api/profile')).status).toBe(401)
    expect((await guest.post('/api/profile', { name: 'Guest' })).status).toBe(401)
  })

  test('a replaced profile image is deleted', async () => {
    const { members, folder } = await open()
    const { Ann } = await members('Ann')
    const upload = async (name: string, colours: Parameters<typeof fourColours>[2]) =>
      (
        await Ann.post(
          '/api/profile-image',
          formData(
            {},
            {
              image: [uploadFile(await fourColours(300, 300, colours).png().toBuffer(), name)],
            },
          ),
        )
      ).body.profile_image as string
    const stored = async () => (await readdir(join(folder, 'media'))).length
    const first = await upload('first.png', ['red', 'red', 'blue', 'blue'])
    expect(await stored()).toBe(2)
    const second = await upload('second.png', ['white', 'red', 'green', 'blue'])
    expect(second).not.toBe(first)
    expect(await stored()).toBe(2)
    expect((await Ann.get(first)).status).toBe(404)
    expect((await Ann.get(second)).status).toBe(200)
    const again = await upload('second.png', ['white', 'red', 'green', 'blue'])
    expect((await Ann.get(again)).status).toBe(200)
    expect(await stored()).toBe(2)
  })
})
