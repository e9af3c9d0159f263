import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import { ageConfirmations, securityKinds } from '#tests/account-security.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { passkeySite } from '../passkey-verification.ts'
import { createDevice, type PasskeyDevice } from './authenticator.ts'
import { addPasskey, logInWithPasskey, passkeyOptions, passkeyRefusal } from './passkey-clients.ts'

const firefox = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
}

describe.each(dialectsInTurn())('passkeys on %s', (dialect) => {
  const open = (env = {}) => createTestApp({ dialect, env })

  test('are added, named after the device, listed, renamed and removed', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const phone = visitor(firefox)
    await phone.get('/sanctum/csrf-cookie')
    await phone.post('/login', { email: 'ann@engawa.example', password: 'correct horse' })
    const { id } = await addPasskey(phone, createDevice())
    const second = await addPasskey(Ann, createDevice(), 'The key on my desk')
    expect((await Ann.get('/api/account/passkeys')).body).toMatchObject({
      origin: 'http://localhost:3000',
      passkeys: [
        { id, name: 'Firefox · Linux', last_used_at: null },
        { id: second.id, name: 'The key on my desk' },
      ],
    })
    expect((await Ben.get('/api/account/passkeys')).body.passkeys).toEqual([])
    expect((await Ann.put(`/api/account/passkeys/${id}`, { name: 'Laptop' })).body.name).toBe('Laptop')
    expect((await Ben.put(`/api/account/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await Ben.delete(`/api/account/passkeys/${id}`)).status).toBe(404)
    expect((await Ann.delete(`/api/account/passkeys/${id}`)).status).toBe(204)
    expect((await Ann.delete(`/api/account/passkeys/${id}`)).status).toBe(404)
    expect((await Ann.get('/api/account/passkeys')).body.passkeys).toMatchObject([{ id: second.id }])
    expect(await securityKinds(Ann)).toEqual(
      expect.arrayContaining(['passkey_added', 'passkey_added', 'passkey_removed']),
    )
  })

  test('log in without an address and a password, each device with its own', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [laptop, phone, bens] = [createDevice(), createDevice(), createDevice()]
    await addPasskey(Ann, laptop)
    await addPasskey(Ann, phone)
    await addPasskey(Ben, bens)
    for (const [device, id] of [
      [laptop, Ann.id],
      [phone, Ann.id],
      [bens, Ben.id],
    ] as const) {
      const client = visitor()
      await client.get('/sanctum/csrf-cookie')
      const before = client.jar.get('engawa_session')
      expect((await logInWithPasskey(client, device)).status).toBe(204)
      expect((await client.get('/api/user')).body.id).toBe(id)
      expect(client.jar.get('engawa_session')).not.toBe(before)
    }
    expect(
      (await securityKinds(Ann)).filter((kind: string) => kind === 'logged_in_with_passkey'),
    ).toHaveLength(2)
    const { passkeys } = (await Ann.get('/api/account/passkeys')).body
    expect(passkeys.every(({ last_used_at }: { last_used_at: string | null }) => last_used_at)).toBe(true)
  })

  test('say nothing about accounts in the options of a log-in', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    await addPasskey(Ann, createDevice())
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    const { challenge, ...rest } = await passkeyOptions(stranger, '/api/passkeys/log-in')
    expect(challenge).toMatch(/^[\w-]{43}$/)
    expect(rest).toEqual({
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  test('confirm that it is the member, and those of somebody else do not', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const [anns, bens] = [createDevice(), createDevice()]
    const { id } = await addPasskey(Ann, anns)
    await addPasskey(Ben, bens)
    await ageConfirmations(app.db)
    expect((await Ann.post('/api/account/passkeys/options')).status).toBe(423)
    expect((await Ann.delete(`/api/account/passkeys/${id}`)).status).toBe(423)
    const confirm = async (device: PasskeyDevice) => {
      const options = await passkeyOptions(Ann, '/api/account/confirm-passkey')
      expect(options).toMatchObject({ allowCredentials: [{ id: anns.id, transports: ['internal'] }] })
      return Ann.post('/api/account/confirm-passkey', { credential: device.get(options) })
    }
    expect(await confirm(bens)).toMatchObject(passkeyRefusal)
    expect((await Ann.delete(`/api/account/passkeys/${id}`)).status).toBe(423)
    expect((await confirm(anns)).status).toBe(204)
    // Ann has confirmed her identity with a passkey, but this does not confirm Ben's session.
    expect((await Ben.post('/api/account/passkeys/options')).status).toBe(423)
    expect((await Ann.delete(`/api/account/passkeys/${id}`)).status).toBe(204)
  })

  test('belong to one account, and an account has at most twenty', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const device = createDevice()
    await addPasskey(Ann, device)
    for (const client of [Ann, Ben]) {
      const credential = device.create(await passkeyOptions(client, '/api/account/passkeys'))
      expect(await client.post('/api/account/passkeys', { credential })).toMatchObject({
        status: 422,
        body: { message: 'This passkey is already in use.' },
      })
    }
    for (let count = 2; count <= 18; count++) await addPasskey(Ann, createDevice())
    const challenges = [
      await passkeyOptions(Ann, '/api/account/passkeys'),
      await passkeyOptions(Ann, '/api/account/passkeys'),
    ]
    challenges.push(await passkeyOptions(Ann, '/api/account/passkeys'))
    const answers = await Promise.all(
      challenges.map((options) =>
        Ann.post('/api/account/passkeys', { credential: createDevice().create(options) }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422])
    expect(await readRows(db, 'passkeys')).toHaveLength(20)
  })

  test('are removed when the owner of the old address takes the account back', async () => {
    const { members, db, visitor } = await open()
    const { Ann } = await members('Ann')
    const device = createDevice()
    await addPasskey(Ann, device)
    await transaction(db, (tx) =>
      tx
        .insertInto('email_changes')
        .values({
          user_id: Ann.id,
          old_email: 'ann@engawa.example',
          new_email: 'thief@engawa.example',
          token_hash: 'x',
          undo_token_hash: hashToken('undo'),
          created_at: new Date().toISOString(),
          verified_at: new Date().toISOString(),
        })
        .execute(),
    )
    expect((await Ann.post('/api/account/email/undo', { token: 'undo' })).status).toBe(200)
    expect(await logInWithPasskey(visitor(), device)).toMatchObject(passkeyRefusal)
  })

  test('are not available without https and a domain', async () => {
    const { members } = await open({ PUBLIC_URL: 'http://town.example' })
    const { Ann } = await members('Ann')
    expect((await Ann.get('/api/account/passkeys')).body).toEqual({ origin: null, passkeys: [] })
    for (const path of ['/api/account/passkeys', '/api/passkeys/log-in', '/api/account/confirm-passkey'])
      expect((await Ann.post(`${path}/options`)).status).toBe(403)
  })
})

test('passkeys belong to the public address of the site', () => {
  expect(passkeySite('https://town.example:8443')).toEqual({
    origin: 'https://town.example:8443',
    rpId: 'town.example',
  })
  expect(passkeySite('http://localhost:3000')).toEqual({
    origin: 'http://localhost:3000',
    rpId: 'localhost',
  })
  for (const address of [
    'http://town.example',
    'https://192.0.2.1',
    'http://127.0.0.1:3000',
    'https://[::1]',
  ])
    expect(passkeySite(address), address).toBeNull()
})
