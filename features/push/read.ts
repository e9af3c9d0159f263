import type { MemberContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import { listSessions } from '#features/people/sessions.ts'
import { MAX_PUSH_DEVICES_PER_MEMBER, type PushKeyPrivacyAndDevices, type PushPrivacy } from './contract.ts'
import { toPublicPushKey } from './push-service.ts'
import type { PushItemKind } from './tables.ts'

/** The privacy setting of push messages for members who have not chosen one. */
const DEFAULT_PRIVACY: PushPrivacy = 'text'

/** Counts the devices of a member that receive push messages, up to `MAX_PUSH_DEVICES_PER_MEMBER`. */
export async function countPushDevices(db: Db, user: number) {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', user)
    .limit(MAX_PUSH_DEVICES_PER_MEMBER)
    .execute()
  return rows.length
}

export async function readPushPrivacy(db: Db, user: number) {
  const row = await db
    .selectFrom('push_settings')
    .select('privacy')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.privacy ?? DEFAULT_PRIVACY
}

/**
 * Lists the current member's devices that receive push messages, newest first. `token` is the token of the
 * current session; an empty text if there is none.
 */
export async function listPushDevices({ db, me }: Pick<MemberContext, 'db' | 'me'>, token: string) {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'session_hash', 'created_at', 'last_sent_at'])
    .where('user_id', '=', me.id)
    .orderBy('id', 'desc')
    .limit(MAX_PUSH_DEVICES_PER_MEMBER)
    .execute()
  const sessions = rows.length ? await listSessions(db, me.id, token) : []
  const names = new Map(sessions.map(({ id, device }) => [id, device]))
  return rows.map(({ session_hash, ...row }) => ({
    ...row,
    device: names.get(session_hash) ?? null,
    is_current: session_hash === hashSessionToken(token),
  }))
}

export async function readPushKeyPrivacyAndDevices(
  context: MemberContext & { session: { token: string } },
): Promise<PushKeyPrivacyAndDevices> {
  const { db, me, config, session } = context
  const [privacy, devices] = await Promise.all([
    readPushPrivacy(db, me.id),
    listPushDevices(context, session.token),
  ])
  return { public_key: toPublicPushKey(config), privacy, devices }
}

/** Reads a push subscription of the current member; undefined if the member has no such subscription. */
export const findOwnPushSubscription = ({ db, me }: Pick<MemberContext, 'db' | 'me'>, id: number) =>
  db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', me.id)
    .executeTakeFirst()

/**
 * Lists the items in the push queues of the current member's devices that stand for these messages or
 * notifications.
 */
export async function listOwnWaitingPushItemsOfSubjects(
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

/** Returns the number of items in the push queues of all devices, and the time of the oldest item. */
export async function readCountAndOldestTimeOfPushQueues(db: Db) {
  const { count, oldest } = await db
    .selectFrom('push_items')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
  return { count: Number(count), oldest }
}
