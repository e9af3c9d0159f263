import { describe, expect, test } from 'vitest'
import { isCommonPassword } from '#features/people/common-passwords.ts'
import { createTestApp, dialectsInTurn, readTestTableRows } from '#tests/harness.ts'

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
      const reason = [expect.stringContaining('100,000 most common')]
      expect(await register(password, 'en')).toMatchObject({
        status: 422,
        body: { errors: { password: reason } },
      })
    }
    expect((await register('password', 'ja')).body.message).toContain('10万個')
    expect(await readTestTableRows(db, 'users')).toEqual([])
    expect((await register('correct horse', 'en')).status).toBe(200)
  })
})
