// Imports the password hashes of the real cost first.
import '#tests/real-password-hashes.ts'
import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../passwords.ts'

test('a stored hash is the argon2id of the password with the cost that it names', async () => {
  const stored = await hashPassword('correct horse', '')
  const [, name, , cost, nonce, tag] = stored.split('$')
  expect([name, cost]).toEqual(['argon2id', 'm=19456,t=2,p=1'])
  const real = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
  const computed = argon2Sync('argon2id', {
    ...real,
    message: 'correct horse',
    nonce: Buffer.from(nonce!, 'base64'),
  })
  expect(Buffer.from(tag!, 'base64')).toEqual(computed)
  expect(await verifyPassword('correct horse', stored, '')).toBe('right')
  expect(await verifyPassword('wrong horse', stored, '')).toBe(false)
})
