import { createHash } from 'node:crypto'
import { type Db, now } from '#core/database.ts'
import type { Sessions } from '#core/http.ts'

const DAY = 24 * 3600 * 1000
const LIFE = 30 * DAY

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
const ago = (time: number) => new Date(Date.now() - time).toISOString()

/** Looks a cookie up; at most once a day its thirty days begin anew. That of somebody suspended, whose log-in came at the same moment, opens nothing. */
export const openSessions = (db: Db): Sessions => ({
  async whoIs(token) {
    const token_hash = hashOf(token)
    const row = await db
      .selectFrom('sessions')
      .leftJoin('admins', 'admins.user_id', 'sessions.user_id')
      .select(['sessions.user_id', 'sessions.refreshed_at', 'admins.user_id as admin'])
      .where('token_hash', '=', token_hash)
      .where('refreshed_at', '>', ago(LIFE))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('suspensions').select('user_id').whereRef('suspensions.user_id', '=', 'sessions.user_id'))),
      )
      .executeTakeFirst()
    if (!row) return null
    const refresh = row.refreshed_at < ago(DAY)
    if (refresh) await db.updateTable('sessions').set({ refreshed_at: now() }).where('token_hash', '=', token_hash).execute()
    return { me: { id: row.user_id, is_admin: row.admin !== null }, refresh }
  },
})

export const openSession = (db: Db, user_id: number, token: string) =>
  db
    .insertInto('sessions')
    .values({ token_hash: hashOf(token), user_id, created_at: now(), refreshed_at: now() })
    .execute()

export const endSession = (db: Db, token: string) => db.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).execute()

export const endSessionsOf = (db: Db, user_id: number) => db.deleteFrom('sessions').where('user_id', '=', user_id).execute()

export const forgetOldSessions = (db: Db) => db.deleteFrom('sessions').where('refreshed_at', '<=', ago(LIFE)).execute()
