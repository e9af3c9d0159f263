import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, type TestClient } from '#tests/harness.ts'

const path = '/api/admin/settings'
const change = (actor: TestClient, changes: object) => actor.send('PATCH', path, changes)
const readLanguage = async (viewer: TestClient, more: object = {}) =>
  /<html lang="(\w+)"/.exec((await viewer.get('/login', { accept: 'text/html', ...more })).body)?.[1]

describe.each(dialectsInTurn())('language and time zone on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('are those of the browser and UTC, until an admin chooses others', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const japanese = { 'accept-language': 'ja' }
    expect((await Ann.get(path)).body.settings).toMatchObject({ default_language: null, time_zone: null })
    expect(await readLanguage(visitor())).toBe('en')
    expect(await readLanguage(visitor(), japanese)).toBe('ja')
    const chosen = { default_language: 'ja', time_zone: 'Asia/Tokyo' }
    expect((await change(Ann, chosen)).body.settings).toMatchObject(chosen)
    expect(await readLanguage(visitor())).toBe('ja')
    await change(Ann, { default_language: 'en' })
    expect(await readLanguage(visitor(), japanese)).toBe('en')
    expect(await readLanguage(visitor(), { ...japanese, cookie: 'lang=ja' })).toBe('ja')
    await change(Ann, { default_language: null })
    expect(await readLanguage(visitor(), japanese)).toBe('ja')
  })

  test('accept only known values, and only from admins', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const wrong = {
      default_language: ['de', '', 7],
      time_zone: ['Europe/Atlantis', '', 9, 'x'.repeat(61), '../etc'],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        expect(await change(Ann, { [name]: value }), `${name} ${value}`).toMatchObject({
          status: 422,
          body: { errors: { [name]: [expect.any(String)] } },
        })
    expect((await change(Ben, { default_language: 'ja' })).status).toBe(403)
  })

  test('are used in the mail about a deletion', async () => {
    const { members, db, context } = await open({ SMTP_URL: 'smtp://127.0.0.1:1' })
    const { Ann } = await members('Ann', 'Ben')
    await change(Ann, { default_language: 'ja', time_zone: 'Asia/Tokyo' })
    const { sendDeletionMail } = await import('#features/account/deletion-mails.ts')
    const recipient = {
      name: 'Ben',
      handle: 'ben',
      email: 'ben@engawa.example',
      email_verified_at: '2026-01-01T00:00:00.000Z',
    }
    const mail = { user_id: 2, recipient, lang: 'ja', kind: 'requested' } as const
    await transaction(db, (tx) =>
      sendDeletionMail(context, tx, { ...mail, due_at: '2026-03-01T20:00:00.000Z' }),
    )
    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute()
    expect(jobs.map(({ payload }) => payload).join()).toContain('2026年3月2日')
  })

  test('are asked at the set-up', async () => {
    const { visitor, config } = await open({ PUBLIC_URL: 'https://town.example' })
    const Ann = visitor({ host: 'town.example' })
    await Ann.get('/sanctum/csrf-cookie')
    const password = 'correct horse'
    const account = { name: 'Ann', email: 'ann@engawa.example', password, password_confirmation: password }
    const answers = { default_language: 'ja', time_zone: 'Asia/Tokyo' }
    const register = (more: object) =>
      Ann.post('/api/register', { ...account, setup_code: config.SETUP_CODE, ...more })
    expect((await register({ time_zone: 'Mars' })).status).toBe(422)
    expect((await register(answers)).status).toBe(200)
    expect((await Ann.get(path)).body.settings).toMatchObject(answers)
  })
})
