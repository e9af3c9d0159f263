import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { allMigrations } from '#app.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { clientOf } from '#core/http/client.ts'
import { hashTypedCode } from '#features/account/codes.ts'
import * as recoveryCodes from '#features/account/recovery-codes.ts'
import { openConnections } from '#tests/databases.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'

const create = async (client: TestClient): Promise<string[]> =>
  (await client.post('/api/account/recovery-codes')).body.codes
const countLeft = async (client: TestClient): Promise<number> =>
  (await client.get('/api/account/recovery-codes')).body.left
const consume = ({ db }: TestApp, user: number, code: string) =>
  recoveryCodes
    .hash(db, user, code, '')
    .then((hash) => transaction(db, (tx) => recoveryCodes.consume(tx, user, hash)))

describe.each(dialectsInTurn())('recovery codes on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  test('are ten different ones of 80 bits, which the database has only as slow hashes with one salt', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    expect(await countLeft(Ann)).toBe(0)
    const codes = await create(Ann)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    expect([await countLeft(Ann), await countLeft(Ben)]).toEqual([10, 0])
    const stored = JSON.stringify(await readRows(db, 'recovery_codes'))
    for (const code of codes) {
      expect(stored).not.toContain(code)
      expect(stored).not.toContain(hashTypedCode(Ann.id, code))
    }
    const rows = await readRows(db, 'recovery_codes')
    expect(new Set(rows.map(({ salt }) => salt)).size).toBe(1)
    expect(Buffer.from(String(rows[0]!.salt), 'base64')).toHaveLength(16)
    expect(Buffer.from(String(rows[0]!.code_hash), 'base64')).toHaveLength(32)
    // Each new set of recovery codes has a new salt, whether it belongs to the same member or to another one.
    await create(Ann)
    await create(Ben)
    const others = (await readRows(db, 'recovery_codes')).map(({ salt }) => salt)
    expect(new Set([rows[0]!.salt, ...others]).size).toBe(3)
  })

  test('that an older version has stored keep working, with a slow hash', async () => {
    const [{ db } = expect.unreachable()] = await openConnections(dialect)
    await runMigrations(
      db,
      allMigrations.map((list) =>
        Object.fromEntries(Object.entries(list).filter(([name]) => name !== 'account 3')),
      ),
    )
    const codes = ['4kq7-m2xe-9ydr-h06t', '0000-1111-2222-3333']
    await transaction(db, async (tx) => {
      for (const id of [1, 2]) {
        const name = `p${id}`
        await sql`insert into users (id, name, name_key, email, email_key, password_hash, created_at, handle,
          name_skeleton)
          values (${id}, ${name}, ${name}, ${name}, ${name}, 'x', 'x', ${name}, ${name})`.execute(tx)
        for (const code of codes)
          await sql`insert into recovery_codes (user_id, code_hash, created_at)
            values (${id}, ${hashTypedCode(id, code)}, 'x')`.execute(tx)
      }
    })
    await runMigrations(db, allMigrations)
    const rows = await db.selectFrom('recovery_codes').selectAll().execute()
    expect(rows.map(({ code_hash }) => code_hash)).not.toContain(hashTypedCode(1, codes[0]!))
    expect(new Set(rows.map(({ salt }) => salt)).size).toBe(2)
    const use = async (id: number, code: string) => {
      const hash = await recoveryCodes.hash(db, id, code, '')
      return transaction(db, (tx) => recoveryCodes.consume(tx, id, hash))
    }
    for (const id of [1, 2])
      for (const code of codes)
        expect([await use(id, code), await use(id, code)], `${id} ${code}`).toEqual([true, false])
  })

  test('work once, however they are typed, and only for their owner', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const [first, second] = (await create(Ann)) as [string, string]
    expect(await consume(app, Ben.id, first)).toBe(false)
    expect(await consume(app, Ann.id, `${first.slice(0, -1)}u`)).toBe(false)
    const typed = ` ${first.replaceAll('-', ' — ').toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l')}`
    expect(await consume(app, Ann.id, typed)).toBe(true)
    expect(await consume(app, Ann.id, first)).toBe(false)
    expect(await consume(app, Ann.id, second.replaceAll('-', ''))).toBe(true)
    expect(await countLeft(Ann)).toBe(8)
  })

  test('can be used by one of two transactions at the same time', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    const [code] = (await create(Ann)) as [string]
    const results = await Promise.all([consume(app, Ann.id, code), consume(app, Ann.id, code)])
    expect(results.sort()).toEqual([false, true])
  })

  test('are replaced by new ones, after a confirmation, which the security log shows', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    const [old] = (await create(Ann)) as [string]
    await create(Ann)
    expect(await consume(app, Ann.id, old)).toBe(false)
    expect(await countLeft(Ann)).toBe(10)
    await transaction(app.db, (tx) =>
      tx
        .updateTable('sessions')
        .set({ confirmed_at: new Date(0).toISOString() })
        .execute(),
    )
    expect((await Ann.post('/api/account/recovery-codes')).status).toBe(423)
    const { body } = await Ann.get('/api/account/security-events?limit=2')
    const kind = 'recovery_codes_created'
    expect(body).toMatchObject([{ kind }, { kind }])
  })

  test('are announced to the owner by mail when they are made and used', async () => {
    const app = await createTestApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const { Ann } = await app.members('Ann')
    await transaction(app.db, (tx) =>
      tx.updateTable('users').set({ email_verified_at: new Date().toISOString() }).execute(),
    )
    const codes = await create(Ann)
    const client = clientOf(app.config, {
      headers: {},
      ip: '192.0.2.1',
    } as FastifyRequest)
    await transaction(app.db, (tx) =>
      recoveryCodes.reportUse({ ...app.context, client, lang: 'en' }, tx, Ann.id),
    )
    const mails = (await readRows(app.db, 'jobs')).map(({ payload }) => String(payload))
    expect(mails.filter((mail) => mail.includes('New recovery codes for'))).toHaveLength(1)
    expect(mails.filter((mail) => mail.includes('A recovery code for'))).toHaveLength(1)
    for (const code of codes) expect(mails.join()).not.toContain(code)
    const { body } = await Ann.get('/api/account/security-events?limit=1')
    expect(body).toMatchObject([{ kind: 'recovery_code_used', network: '192.0.2.1' }])
  })
})
