import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { accountMigrations } from '../tables.ts'

const BEFORE = '2026-03-01T10:00:00.000Z'
const REQUESTED = '2026-03-02T10:00:00.000Z'
const AFTER = '2026-03-02T10:00:00.001Z'

describe.each(dialectsInTurn())('the suspensions of an earlier release on %s', (dialect) => {
  test('until a deletion by an admin become rows of their own, and others stay', async () => {
    const app = await createTestApp({ dialect })
    const { Ada, ...people } = await app.members(
      'Ada',
      'ByAda',
      'ByFormer',
      'Earlier',
      'Own',
      'Timed',
      'None',
    )
    const { ByAda, ByFormer, Earlier, Own, Timed, None } = people
    const suspended = (user_id: number, created_at: string, ends_at: string | null = null) => ({
      user_id,
      suspended_by: Ada.id,
      created_at,
      ends_at,
    })
    const deletion = (user_id: number, requested_by: number | null) =>
      ({ user_id, requested_by, messages: 'keep', lang: 'en', created_at: REQUESTED, due_at: AFTER }) as const
    const stay = [
      suspended(Earlier.id, BEFORE),
      suspended(Own.id, AFTER),
      suspended(Timed.id, AFTER, '2027-01-01T00:00:00.000Z'),
      suspended(None.id, AFTER),
    ]
    const byAdmins = [suspended(ByAda.id, AFTER), suspended(ByFormer.id, REQUESTED)]
    await transaction(app.db, async (tx) => {
      await tx
        .insertInto('account_deletions')
        .values([
          ...[ByAda, Earlier, Timed].map(({ id }) => deletion(id, Ada.id)),
          deletion(ByFormer.id, null),
          deletion(Own.id, Own.id),
        ])
        .execute()
      await tx
        .insertInto('suspensions')
        .values([...stay, ...byAdmins])
        .execute()
      for (const statement of accountMigrations['account deletion 2']!({ name: dialect, id: '' }))
        if (typeof statement !== 'string') await statement(tx)
    })
    const idsIn = async (table: 'suspensions' | 'deletion_suspensions') =>
      (await readRows(app.db, table)).map(({ user_id }) => user_id)
    expect(await readRows(app.db, 'deletion_suspensions')).toEqual([
      { user_id: ByAda.id, suspended_by: Ada.id, created_at: AFTER },
      { user_id: ByFormer.id, suspended_by: Ada.id, created_at: REQUESTED },
    ])
    expect(await idsIn('suspensions')).toEqual(stay.map(({ user_id }) => user_id))
    // Cancelling the deletion of a member also ends the suspension, if the member was suspended only until
    // the deletion.
    for (const { id } of [ByAda, Earlier])
      expect((await Ada.post(`/api/admin/users/${id}/keep`)).status).toBe(200)
    expect(await idsIn('deletion_suspensions')).toEqual([ByFormer.id])
    expect(await idsIn('suspensions')).toEqual(stay.map(({ user_id }) => user_id))
  })
})
