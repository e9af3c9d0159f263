import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { changeAndReadAccountWithRowLock, readJoinTimeOfNewMember } from './accounts.ts'
import { requireModeratorOrAdmin } from './moderators.ts'
import { recordSecurityEvent } from './security-log.ts'

// New members have tighter limits for some days, or until an admin or a moderator says that they know the new
// member. Only moderators and admins see who is new.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * The actions that new members can do less often than others. `max` is the number of actions in one `period`,
 * which is in milliseconds.
 */
const limits = {
  post: {
    max: 5,
    period: HOUR,
    en: 'write 5 posts an hour',
    ja: '投稿は1時間に5件まで',
  },
  reply: { max: 20, period: HOUR, en: 'write 20 replies an hour', ja: '返信は1時間に20件まで' },
  follow: { max: 20, period: HOUR, en: 'follow 20 people an hour', ja: 'フォローは1時間に20人まで' },
  picture: { max: 20, period: DAY, en: 'send 20 pictures a day', ja: '画像は1日に20枚まで' },
  chat: {
    max: 5,
    period: DAY,
    en: 'begin 5 chats a day with people who do not follow them',
    ja: 'フォローされていない人との新しいチャットは1日に5件まで',
  },
  group: { max: 2, period: DAY, en: 'create 2 groups a day', ja: 'グループの作成は1日に2個まで' },
  group_member: {
    max: 20,
    period: DAY,
    en: 'add 20 people a day to groups',
    ja: 'グループへのメンバーの追加は1日に20人まで',
  },
} as const
type NewMemberAction = keyof typeof limits

/**
 * Returns for how many milliseconds the member is still new. Returns 0 for a member who is not new, and for
 * everybody if the setting `new_member_days` is 0.
 */
export async function readMillisecondsLeftAsNewMember(
  { settings }: Pick<AppContext, 'settings'>,
  db: Db,
  id: number,
) {
  const time = settings.current().new_member_days * DAY
  if (!time) return 0
  const joined = await readJoinTimeOfNewMember(db, id, new Date(Date.now() - time).toISOString())
  return joined === undefined ? 0 : Math.max(0, Date.parse(joined) + time - Date.now())
}

/**
 * Counts an action of a new member, in the transaction of the action. Above the limit, throws 429, so that
 * the transaction is rolled back with the count. The statement locks the row of the count, so actions at the
 * same moment do not exceed the limit. Does nothing for members who are not new.
 */
export async function countAndLimitNewMemberAction(
  { settings, me }: Pick<MemberContext, 'settings' | 'me'>,
  tx: Tx,
  kind: NewMemberAction,
  amount = 1,
) {
  if (!amount) return
  const timeLeft = await readMillisecondsLeftAsNewMember({ settings }, tx, me.id)
  if (!timeLeft) return
  const { max, period } = limits[kind]
  const now = Date.now()
  const begin = new Date(now - period).toISOString()
  const { count, started_at } = await tx
    .insertInto('new_member_counts')
    .values({ user_id: me.id, kind, started_at: currentIsoTime(), count: amount })
    .onConflict((c) =>
      c.columns(['user_id', 'kind']).doUpdateSet((row) => ({
        count: row
          .case()
          .when('new_member_counts.started_at', '<=', begin)
          .then(row.ref('excluded.count'))
          .else(row('new_member_counts.count', '+', amount))
          .end(),
        started_at: row
          .case()
          .when('new_member_counts.started_at', '<=', begin)
          .then(row.ref('excluded.started_at'))
          .else(row.ref('new_member_counts.started_at'))
          .end(),
      })),
    )
    .returning(['count', 'started_at'])
    .executeTakeFirstOrThrow()
  if (count > max) throw createNewMemberLimitError(kind, Date.parse(started_at) + period - now, timeLeft)
}

/** Converts a time span in milliseconds to words in each language, rounded up. */
function formatSpan(ms: number) {
  const [size, en, ja] =
    ms > 2 * DAY
      ? ([DAY, 'days', '日'] as const)
      : ms > 2 * HOUR
        ? ([HOUR, 'hours', '時間'] as const)
        : ([MINUTE, 'minutes', '分'] as const)
  const number = Math.max(1, Math.ceil(ms / size))
  return { en: `${number} ${number === 1 ? en.slice(0, -1) : en}`, ja: `${number}${ja}` }
}

/**
 * Creates the error 429 for a new member who has reached a limit. `wait` is the time until the next try, and
 * `timeLeft` the time until the member is no longer new, in milliseconds.
 */
function createNewMemberLimitError(kind: NewMemberAction, wait: number, timeLeft: number) {
  const { en, ja } = limits[kind]
  const next = Math.min(wait, timeLeft)
  const [soon, end] = [formatSpan(next), formatSpan(timeLeft)]
  return new HttpError(
    429,
    {
      en: `New members can ${en}. Try again in ${soon.en}. The limit ends in ${end.en}, or when an admin says that they know you.`,
      ja: `新しいメンバーの${ja}です。${soon.ja}後にもう一度お試しください。この制限は${end.ja}後か、管理者が知っている人と確認したときに終わります。`,
    },
    undefined,
    { 'retry-after': String(Math.max(1, Math.ceil(next / 1000))) },
  )
}

/**
 * Throws 403 if the current member is new, with a message that new members cannot invite people yet, and the
 * time until the member is no longer new.
 */
export async function requireNotNewMemberToInvite(
  { settings, me }: Pick<MemberContext, 'settings' | 'me'>,
  tx: Tx,
) {
  const timeLeft = await readMillisecondsLeftAsNewMember({ settings }, tx, me.id)
  if (!timeLeft) return
  const { en, ja } = formatSpan(timeLeft)
  throw new HttpError(403, {
    en: `New members cannot invite people yet. You can in ${en}, or when an admin says that they know you.`,
    ja: `新しいメンバーはまだ招待できません。${ja}後か、管理者が知っている人と確認したときにできるようになります。`,
  })
}

/** Stores that an admin or a moderator knows the member. Returns false if this is stored already. */
export async function insertKnownMemberRowIfMissing(tx: Tx, user_id: number, known_by: number) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('known_members')
    .values({ user_id, known_by, created_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/**
 * Ends the limits for a new member, because the current admin or moderator knows this member. Throws 404 if
 * there is no such member, and 403 if the current member is no admin or moderator any more.
 */
export const markMemberAsKnownToModerator = (context: MemberContext, id: number) =>
  changeAndReadAccountWithRowLock(context, id, async (tx) => {
    const { me } = context
    const role = await requireModeratorOrAdmin(tx, me)
    if (await insertKnownMemberRowIfMissing(tx, id, me.id))
      await recordSecurityEvent(tx, id, 'marked_as_known', { actor_id: me.id, role })
  })
