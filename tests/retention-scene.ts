import { expect } from 'vitest'
import { featureModules } from '#app.ts'
import { transaction } from '#core/database/transaction.ts'
import type { RetentionDays } from '#features/admin/contract.ts'
import * as retentions from '#features/admin/retention.ts'
import { createTestApp, type Dialect, type TestApp, type TestClient } from '#tests/harness.ts'

const DAY = 24 * 3600_000
const toTimeDaysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

/**
 * Creates a test app. Returns it with functions that make messages and posts old, and that remove messages
 * and pictures which are older than the settings allow.
 */
export async function retentionScene(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...retentionFunctions(app) }
}

export const retentionFunctions = ({ db, context }: Pick<TestApp, 'db' | 'context'>) => ({
  /** Sets the creation time of the messages with these ids to `days` days ago. */
  makeMessagesOld: (ids: readonly number[], days: number) =>
    transaction(db, (tx) =>
      tx
        .updateTable('messages')
        .set({ created_at: toTimeDaysAgo(days) })
        .where('id', 'in', ids)
        .execute(),
    ),
  makePostOld: (id: number, days: number) =>
    transaction(db, (tx) =>
      tx
        .updateTable('posts')
        .set({ created_at: toTimeDaysAgo(days) })
        .where('id', '=', id)
        .execute(),
    ),
  /** Inserts `count` messages of the year 2020 directly into the database. */
  insertOldMessages: (conversation_id: number, user_id: number, count: number) =>
    transaction(db, (tx) =>
      tx
        .insertInto('messages')
        .values(
          Array.from({ length: count }, () => ({
            ...{ conversation_id, user_id, body: 'x' },
            created_at: '2020-01-01T00:00:00.000Z',
          })),
        )
        .execute(),
    ),
  /**
   * Lets the removal of old messages and pictures start now. Otherwise it starts a day after an admin has
   * changed the setting.
   */
  endGrace: () =>
    transaction(db, (tx) =>
      tx
        .updateTable('retention_schedules')
        .set({ starts_at: toTimeDaysAgo(0) })
        .execute(),
    ),
  run: () =>
    retentions.removeOld(
      context,
      featureModules.flatMap(({ retention }) => retention ?? []),
    ),
})

export async function saveRetention(
  admin: TestClient,
  days: { keep_messages_days?: number | null; keep_pictures_days?: number | null },
) {
  expect(await admin.send('PATCH', '/api/admin/settings', days)).toMatchObject({ status: 200 })
}

export const retentionRules = async (who: TestClient): Promise<RetentionDays> =>
  (await who.get('/api/retention')).body
