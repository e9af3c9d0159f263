import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { createDevice } from './authenticator.ts'
import { addPasskey, logInWithPasskey, passkeyOptions, passkeyRefusal } from './passkey-clients.ts'

vi.mock('@simplewebauthn/server', async (importOriginal) => {
  const library = await importOriginal<typeof import('@simplewebauthn/server')>()
  return { ...library, verifyRegistrationResponse: vi.fn(library.verifyRegistrationResponse) }
})

describe.each(dialectsInTurn())('passkeys on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  test('are refused for another origin or domain, and without a check of the person', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const device = createDevice()
    await addPasskey(Ann, device)
    for (const conditions of [
      { origin: 'http://localhost:4000' },
      { origin: 'https://localhost:3000' },
      { origin: 'http://evil.example' },
      { isVerified: false },
    ])
      expect(await logInWithPasskey(visitor(), device, conditions), JSON.stringify(conditions)).toMatchObject(
        passkeyRefusal,
      )
    // The server refuses to add a passkey that a device made for another domain.
    const credential = createDevice({ rpId: 'evil.example' }).create(
      await passkeyOptions(Ann, '/api/account/passkeys'),
    )
    expect(await Ann.post('/api/account/passkeys', { credential })).toMatchObject(passkeyRefusal)
    for (const conditions of [{ origin: 'http://evil.example' }, { isVerified: false }]) {
      const given = createDevice().create(await passkeyOptions(Ann, '/api/account/passkeys'), conditions)
      expect(await Ann.post('/api/account/passkeys', { credential: given })).toMatchObject(passkeyRefusal)
    }
    expect((await logInWithPasskey(visitor(), device)).status).toBe(204)
  })

  test('are refused with another challenge, a used one, an old one, or one of another session', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    const device = createDevice()
    await addPasskey(Ann, device)
    const client = visitor()
    await client.get('/sanctum/csrf-cookie')
    const send = (challenge: string, from = client) =>
      from.post('/api/passkeys/log-in', { credential: device.get({ challenge }) })

    expect(await send('x'.repeat(43))).toMatchObject(passkeyRefusal)
    // The server refuses a challenge that it gave to the same session for another purpose, here for a
    // confirmation.
    const { challenge: forConfirmation } = await passkeyOptions(Ann, '/api/account/confirm-passkey')
    expect(await send(forConfirmation, Ann)).toMatchObject(passkeyRefusal)
    const { challenge } = await passkeyOptions(client, '/api/passkeys/log-in')
    const other = visitor()
    await other.get('/sanctum/csrf-cookie')
    expect(await send(challenge, other)).toMatchObject(passkeyRefusal)
    // The attempt in another session did not use the challenge up, but an attempt with a wrong signature
    // does.
    const forged = createDevice().get({ challenge })
    expect(
      await client.post('/api/passkeys/log-in', { credential: { ...forged, id: device.id } }),
    ).toMatchObject(passkeyRefusal)
    expect(await send(challenge)).toMatchObject(passkeyRefusal)
    const { challenge: old } = await passkeyOptions(client, '/api/passkeys/log-in')
    await transaction(db, (tx) =>
      tx
        .updateTable('passkey_challenges')
        .set({ created_at: new Date(Date.now() - 5 * 60_000 - 1000).toISOString() })
        .execute(),
    )
    expect(await send(old)).toMatchObject(passkeyRefusal)
    // A request for a new challenge deletes the expired challenges.
    const { challenge: fresh } = await passkeyOptions(client, '/api/passkeys/log-in')
    expect(await readRows(db, 'passkey_challenges')).toHaveLength(1)
    const credential = device.get({ challenge: fresh })
    expect((await client.post('/api/passkeys/log-in', { credential })).status).toBe(204)
    // The server refuses the same signature a second time, because the log-in has used its challenge.
    expect(await client.post('/api/passkeys/log-in', { credential })).toMatchObject(passkeyRefusal)
    expect(await readRows(db, 'passkey_challenges')).toHaveLength(0)
  })

  test('are accepted once, if the same answer arrives twice at the same moment', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const device = createDevice()
    await addPasskey(Ann, device)
    const client = visitor()
    await client.get('/sanctum/csrf-cookie')
    const credential = device.get(await passkeyOptions(client, '/api/passkeys/log-in'))
    const answers = await Promise.all([1, 2].map(() => client.post('/api/passkeys/log-in', { credential })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('are refused if their counter does not grow, as that of a copied device', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const device = createDevice({ counter: 5 })
    await addPasskey(Ann, device)
    for (const [counter, status] of [
      [5, 422],
      [6, 204],
      [6, 422],
      [4, 422],
      [0, 422],
      [7, 204],
    ] as const) {
      device.counter = counter
      expect((await logInWithPasskey(visitor(), device)).status, `${counter}`).toBe(status)
    }
  })

  test('are refused after their removal, and if they were never added', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const [lost, kept] = [createDevice(), createDevice()]
    const { id } = await addPasskey(Ann, lost)
    await addPasskey(Ann, kept)
    expect((await logInWithPasskey(visitor(), lost)).status).toBe(204)
    await Ann.delete(`/api/account/passkeys/${id}`)
    expect(await logInWithPasskey(visitor(), lost)).toMatchObject(passkeyRefusal)
    expect(await logInWithPasskey(visitor(), createDevice())).toMatchObject(passkeyRefusal)
    expect((await logInWithPasskey(visitor(), kept)).status).toBe(204)
  })

  test('of suspended members do not log in', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const device = createDevice()
    await addPasskey(Ben, device)
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    const stopped = visitor()
    expect(await logInWithPasskey(stopped, device)).toMatchObject({
      status: 403,
      body: { message: 'This account is suspended. Please contact an admin.' },
    })
    expect((await stopped.get('/api/user')).status).toBe(401)
    await Ann.delete(`/api/admin/users/${Ben.id}/suspension`)
    expect((await logInWithPasskey(visitor(), device)).status).toBe(204)
  })

  test('are not added with certificates, whose addresses the server would fetch', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    vi.mocked(verifyRegistrationResponse).mockClear()
    for (const fmt of ['packed', 'tpm', 'android-key', 'unknown']) {
      const statement = {
        fmt,
        attStmt: new Map<string, never>([['x5c', Buffer.from('certificate') as never]]),
      }
      const given = createDevice().create(await passkeyOptions(Ann, '/api/account/passkeys'), {}, statement)
      expect(await Ann.post('/api/account/passkeys', { credential: given })).toMatchObject(passkeyRefusal)
    }
    // The server refused the certificates above before it called the WebAuthn library, which would refuse
    // them too. For a valid passkey, the server calls the library.
    expect(verifyRegistrationResponse).not.toHaveBeenCalled()
    await addPasskey(Ann, createDevice())
    expect(verifyRegistrationResponse).toHaveBeenCalledOnce()
  })
})
