import type { MemberContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import * as memberSessions from '#features/people/sessions.ts'
import { MAX_DEVICES, type PushPrivacy, type PushSettings } from './contract.ts'
import { publicKeyOf } from './push-service.ts'
import type { PushItemKind } from './tables.ts'

const DEFAULT_PRIVACY: PushPrivacy = 'text'

/** Up to `MAX_DEVICES`. */
export async function countDevices(db: Db, user: number) {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', user)
    .limit(MAX_DEVICES)
    .execute()
  return rows.length
}

export async function getPrivacy(db: Db, user: number) {
  const row = await db
    .selectFrom('push_settings')
    .select('privacy')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.privacy ?? DEFAULT_PRIVACY
}

/** Newest first. `token` of the session; empty if there is none. */
export async function listDevices({ db, me }: Pick<MemberContext, 'db' | 'me'>, token: string) {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'session_hash', 'created_at', 'last_sent_at'])
    .where('user_id', '=', me.id)
    .orderBy('id', 'desc')
    .limit(MAX_DEVICES)
    .execute()
  const sessions = rows.length ? await memberSessions.list(db, me.id, token) : []
  const names = new Map(sessions.map(({ id, device }) => [id, device]))
  return rows.map(({ session_hash, ...row }) => ({
    ...row,
    device: names.get(session_hash) ?? null,
    is_current: session_hash === hashSession(token),
  }))
}

export async function getSettings(
  context: MemberContext & { session: { token: string } },
): Promise<PushSettings> {
  const { db, me, config, session } = context
  const [privacy, devices] = await Promise.all([getPrivacy(db, me.id), listDevices(context, session.token)])
  return { public_key: publicKeyOf(config), privacy, devices }
}

export const findOwn = ({ db, me }: Pick<MemberContext, 'db' | 'me'>, id: number) =>
  db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', me.id)
    .executeTakeFirst()

export async function listWaiting(
  { db, me }: Pick<MemberContext, 'db' | 'me'>,
  kind: PushItemKind,
  ids: readonly number[],
) {
  if (!ids.length) return []
  return db
    .selectFrom('push_subscriptions as s')
    .innerJoin('push_items as i', 'i.subscription_id', 's.id')
    .select(['s.id as device_id', 'i.kind', 'i.subject_id', 'i.held_until'])
    .where('s.user_id', '=', me.id)
    .where('i.kind', '=', kind)
    .where('i.subject_id', 'in', ids)
    .orderBy('i.id')
    .execute()
}

/** All devices. */
export async function getBacklog(db: Db) {
  const { count, oldest } = await db
    .selectFrom('push_items')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
  return { count: Number(count), oldest }
}
