import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { isCommonPassword } from '#features/people/common-passwords.ts'
import { hashPassword, hashSecret } from '#features/people/passwords.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

const COMPOSED = 'caf\u00E9 がらくた 12'
/** The same password, as other keyboards and systems send it: with other spaces, and decomposed. */
const OTHER_FORMS = [
  COMPOSED,
  COMPOSED.normalize('NFD'),
  COMPOSED.replaceAll(' ', '\u3000'),
  COMPOSED.normalize('NFD').replaceAll(' ', '\u00A0'),
]

async function logIn(client: TestClient, password: string) {
  await client.get('/sanctum/csrf-cookie')
  return (await client.post('/login', { email: 'ann@engawa.example', password })).status
}

/** Returns a hash as it was before passwords were normalised. */
async function hashWithoutNormalizing(password: string) {
  const [, name, version, cost, salt] = (await hashPassword('', '')).split('$')
  const tag = await hashSecret(password, salt!, '')
  return ['', name, version, cost, salt, tag.replace(/=+$/, '')].join('$')
}

test('common passwords are recognised in any case, and others are not', () => {
  for (const password of [
    'password',
    'PASSWORD1',
    '12345678',
    'qwertyuiop',
    'iloveyou1',
    'football1',
    'password1234',
  ])
    expect(isCommonPassword(password), password).toBe(true)
  for (const password of ['correct horse', 'engawa-demo', 'パスワードです', '', 'kiln-bread-bowl-7'])
    expect(isCommonPassword(password), password).toBe(false)
  const inventedPasswords = Array.from({ length: 5000 }, (_, n) => `made up ${n} for this test`)
  expect(inventedPasswords.filter(isCommonPassword).length).toBeLessThan(5)
})

describe.each(dialectsInTurn())('passwords on %s', (dialect) => {
  test('that are common are refused, with the reason in both languages', async () => {
    const { visitor, db } = await createTestApp({ dialect })
    const register = async (password: string, lang: string) => {
      const guest = visitor({ 'accept-language': lang })
      await guest.get('/sanctum/csrf-cookie')
      const account = { name: 'Ann', email: 'ann@engawa.example' }
      return guest.post('/api/register', { ...account, password, password_confirmation: password })
    }
    for (const password of ['password', 'Password1', 'qwerty123']) {
      const reason = [expect.stringContaining('very common')]
      expect(await register(password, 'en')).toMatchObject({
        status: 422,
        body: { errors: { password: reason } },
      })
    }
    expect((await register('password', 'ja')).body.message).toContain('よく使われていて')
    expect(await readRows(db, 'users')).toEqual([])
    expect((await register('correct horse', 'en')).status).toBe(200)
  })

  test('are the same in every form that a keyboard sends, and another letter makes another one', async () => {
    const { visitor } = await createTestApp({ dialect })
    const ann = visitor()
    await ann.register('Ann', OTHER_FORMS[3])
    for (const form of OTHER_FORMS) {
      expect(await logIn(visitor(), form), JSON.stringify(form)).toBe(204)
      expect((await ann.post('/api/account/confirm', { password: form })).status).toBe(204)
    }
    for (const other of [COMPOSED.replaceAll(' ', ''), COMPOSED.replace('é', 'e'), COMPOSED.toUpperCase()])
      expect(await logIn(visitor(), other), other).toBe(422)
    const [current_password, password] = [OTHER_FORMS[1]!, `${COMPOSED} 新`]
    const change = { current_password, password, password_confirmation: password.normalize('NFD') }
    expect((await ann.put('/api/account/password', change)).status).toBe(200)
    expect(await logIn(visitor(), password.replaceAll(' ', '\u2003'))).toBe(204)
  })

  test('have eight characters after they are normalised', async () => {
    const { visitor } = await createTestApp({ dialect })
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    const password = 'éàüñ'.normalize('NFD')
    const account = { name: 'Ann', email: 'ann@engawa.example', password, password_confirmation: password }
    expect((await guest.post('/api/register', account)).status).toBe(422)
  })

  test('of 1,000 characters of any kind are accepted, and every character counts', async () => {
    const { visitor } = await createTestApp({ dialect })
    const long = `\u{1F511} ${'\u3042a1 -'.repeat(200)}`.slice(0, 1000)
    await visitor().register('Ann', long)
    expect(await logIn(visitor(), long)).toBe(204)
    expect(await logIn(visitor(), long.slice(0, -1))).toBe(422)
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    const password = `${long}${'x'.repeat(2)}`
    const account = { name: 'Ben', email: 'ben@engawa.example', password, password_confirmation: password }
    expect((await guest.post('/api/register', account)).status).toBe(422)
  })

  test('with a hash from before they were normalised stay valid, and get a new hash at a log-in', async () => {
    const { members, visitor, db } = await createTestApp({ dialect })
    await members('Ann')
    const password_hash = await hashWithoutNormalizing(OTHER_FORMS[3]!)
    await transaction(db, (tx) => tx.updateTable('users').set({ password_hash }).execute())
    expect(await logIn(visitor(), COMPOSED)).toBe(422)
    expect(await logIn(visitor(), OTHER_FORMS[3]!)).toBe(204)
    for (const form of OTHER_FORMS) expect(await logIn(visitor(), form)).toBe(204)
  })
})
