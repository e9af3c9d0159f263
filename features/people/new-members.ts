import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import * as memberAccounts from './accounts.ts'
import { requireModerator } from './moderators.ts'
import * as securityLog from './security-log.ts'

// Limits for some days, or until an admin or a moderator says that they know the member. Only they see who is
// new.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `max` actions in one `period`, in ms. */
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
  group_join: {
    max: 10,
    period: DAY,
    en: 'join 10 groups a day, or ask to',
    ja: 'グループへの参加と申し込みは1日に10個まで',
  },
} as const
type NewMemberAction = keyof typeof limits

/** In ms. 0 for a member who is not new, and for everybody if `new_member_days` is 0. */
export async function timeLeftAsNew({ settings }: Pick<AppContext, 'settings'>, db: Db, id: number) {
  const time = settings.current().new_member_days * DAY
  if (!time) return 0
  const joined = await memberAccounts.joinedAt(db, id, new Date(Date.now() - time).toISOString())
  return joined === undefined ? 0 : Math.max(0, Date.parse(joined) + time - Date.now())
}

/**
 * 429 above the limit, so that the transaction is rolled back with the count. The statement locks the row of
 * the count, so actions at the same moment do not exceed it. Does nothing for members who are not new.
 */
export async function limitNewMember(
  { settings, me }: Pick<MemberContext, 'settings' | 'me'>,
  tx: Tx,
  kind: NewMemberAction,
  amount = 1,
) {
  if (!amount) return
  const timeLeft = await timeLeftAsNew({ settings }, tx, me.id)
  if (!timeLeft) return
  const { max, period } = limits[kind]
  const now = Date.now()
  const begin = new Date(now - period).toISOString()
  const { count, started_at } = await tx
    .insertInto('new_member_counts')
    .values({ user_id: me.id, kind, started_at: isoNow(), count: amount })
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
  if (count > max) throw limitError(kind, Date.parse(started_at) + period - now, timeLeft)
}

/** In words of each language, rounded up. */
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

/** 429. `wait` is the time until the next try, `timeLeft` until the member is no longer new, in ms. */
function limitError(kind: NewMemberAction, wait: number, timeLeft: number) {
  const { en, ja } = limits[kind]
  const next = Math.min(wait, timeLeft)
  const [soon, end] = [formatSpan(next), formatSpan(timeLeft)]
  return new HttpError(
    429,
    {
      en: `New members can ${en}. Try again in ${soon.en}. The limit ends in ${end.en}, or at once when an admin or a moderator confirms that they know you.`,
      ja: `登録してしばらくは、${ja}です。${soon.ja}後にもう一度お試しください。制限は${end.ja}後になくなります（管理者が知り合いだと確認すれば、すぐに）。`,
    },
    undefined,
    { 'retry-after': String(Math.max(1, Math.ceil(next / 1000))) },
  )
}

/** 403 for a new member, with the time until they are not. */
export async function requireNotNewMember({ settings, me }: Pick<MemberContext, 'settings' | 'me'>, tx: Tx) {
  const timeLeft = await timeLeftAsNew({ settings }, tx, me.id)
  if (!timeLeft) return
  const { en, ja } = formatSpan(timeLeft)
  throw new HttpError(403, {
    en: `New members cannot invite people yet. You can in ${en}, or at once when an admin or a moderator confirms that they know you.`,
    ja: `登録してしばらくは、招待できません。${ja}後にできるようになります。管理者が知り合いだと確認すると、すぐにできます。`,
  })
}

/** False if this is stored already. */
export async function insertKnown(tx: Tx, user_id: number, known_by: number) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('known_members')
    .values({ user_id, known_by, created_at: isoNow() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/** 404 if there is no such member, 403 if the current one is no admin or moderator any more. */
export const markKnown = (context: MemberContext, id: number) =>
  memberAccounts.change(context, id, async (tx) => {
    const { me } = context
    const role = await requireModerator(tx, me)
    if (await insertKnown(tx, id, me.id))
      await securityLog.record(tx, id, 'marked_as_known', { actor_id: me.id, role })
  })
