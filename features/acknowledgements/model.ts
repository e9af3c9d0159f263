import { sql } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Written } from '#core/feature/extras.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import * as guardians from '#features/guardians/read.ts'
import * as notifier from '#features/notifications/model.ts'
import { requireTeller } from '#features/posts/announcements.ts'
import * as audiences from '#features/posts/audiences.ts'
import * as posts from '#features/posts/read.ts'
import { CHANGED_EVENT } from './contract.ts'
import * as read from './read.ts'
import * as reminders from './reminders.ts'
import { ended, lock, lockOwn } from './requests.ts'

interface Times {
  until?: string | undefined
  remind_at: readonly string[]
}

/** The extra `acknowledgement` of a new post. 403 without the right. */
export async function ask(context: MemberContext, tx: Tx, { id: post_id, at }: Written, times: Times) {
  await requireTeller(context, tx, post_id)
  requireAfter(at, times)
  const { until, remind_at } = times
  const user_id = context.me.id
  const request = { post_id, user_id, created_at: isoNow(), until: until ?? null }
  await tx.insertInto('acknowledgement_requests').values(request).execute()
  await addRecipients(context, tx, post_id)
  await reminders.plan(tx, post_id, remind_at)
}

/** 422 for what would be over, or be reminded of, before the post is written. */
function requireAfter(at: string, { until, remind_at }: Times) {
  const error = (field: keyof Times) =>
    fieldError(`acknowledgement.${field}`, {
      en: 'Choose a time after that of the post.',
      ja: '投稿の時刻より後の日時を選んでください。',
    })
  if (until !== undefined && until <= at) throw error('until')
  if (remind_at.some((time) => time <= at)) throw error('remind_at')
}

async function addRecipients(context: MemberContext, tx: Tx, post: number) {
  const readers = await audiences.readersQuery({ ...context, db: tx }, context.me.id, [post])
  await sql`insert into acknowledgement_recipients (post_id, user_id)
    select post_id, user_id from (${readers}) a`.execute(tx)
}

interface Answer {
  id: number
  /** A child of the member, who is its guardian. */
  for?: number | undefined
}

/** The request that the answer is for. 404 for others than those asked, 403 for the author and after the end. */
async function lockToAnswer(context: MemberContext, tx: Tx, { id, for: child }: Answer) {
  const request = await lock(context, tx, id, 'share')
  const { author } = request
  if (child !== undefined) {
    await guardians.requireGuardian({ db: tx, me: context.me }, child)
    if (!(await read.isInAudience({ ...context, db: tx }, { author, id, member: child })))
      throw posts.notFound()
  } else if (author === context.me.id) throw ownPost()
  if (!read.isOpen(request)) throw ended()
  return request
}

export async function add(context: MemberContext, answer: Answer) {
  const { id, for: child } = answer
  await transaction(context.db, async (tx) => {
    const { author } = await lockToAnswer(context, tx, answer)
    const by_id = child === undefined ? null : context.me.id
    const member = child ?? context.me.id
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('acknowledgements')
      .values({ post_id: id, user_id: member, by_id, created_at: isoNow() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) return
    for (const kind of ['read_reminder', 'urgent_reminder'] as const)
      await notifier.endEvent(context, tx, { user: member, kind, subject: id, actor: author })
    broadcast(context, tx, id, [author, member, context.me.id])
  })
  return getState(context, id)
}

export async function remove(context: MemberContext, answer: Answer) {
  const { id, for: child } = answer
  await transaction(context.db, async (tx) => {
    const { author } = await lockToAnswer(context, tx, answer)
    const member = child ?? context.me.id
    const { numDeletedRows } = await tx
      .deleteFrom('acknowledgements')
      .where('post_id', '=', id)
      .where('user_id', '=', member)
      .executeTakeFirstOrThrow()
    if (numDeletedRows) broadcast(context, tx, id, [author, member, context.me.id])
  })
  return getState(context, id)
}

export async function end(context: MemberContext, id: number) {
  await transaction(context.db, async (tx) => {
    await lockOwn(context, tx, id)
    await tx
      .updateTable('acknowledgement_requests')
      .set({ ended_at: isoNow(), changed_at: null })
      .where('post_id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
    broadcast(context, tx, id, [context.me.id])
  })
  return getState(context, id)
}

/** Asks those who may see the post now. Nothing without a change of the post. 403 also after the end. */
export async function askAgain(context: MemberContext, id: number, keepsAnswers: boolean) {
  await transaction(context.db, async (tx) => {
    const request = await lockOwn(context, tx, id)
    if (!read.isOpen(request)) throw ended()
    if (request.changed_at === null) return
    await tx
      .updateTable('acknowledgement_requests')
      .set({ changed_at: null })
      .where('post_id', '=', id)
      .execute()
    const asked = [context.me.id]
    if (!keepsAnswers) {
      const answers = tx.deleteFrom('acknowledgements').where('post_id', '=', id)
      for (const { user_id, by_id } of await answers.returning(['user_id', 'by_id']).execute())
        asked.push(user_id, ...(by_id === null ? [] : [by_id]))
      await tx.deleteFrom('acknowledgement_recipients').where('post_id', '=', id).execute()
      await addRecipients(context, tx, id)
    }
    broadcast(context, tx, id, asked)
  })
  return getState(context, id)
}

export async function remind(context: MemberContext, id: number, isUrgent: boolean) {
  await reminders.remind(context, id, isUrgent)
  return getState(context, id)
}

/** The author says later whether to ask again. */
export async function markChanged(
  context: AppContext,
  tx: Tx,
  { id, user_id }: { id: number; user_id: number },
) {
  const { numUpdatedRows } = await tx
    .updateTable('acknowledgement_requests')
    .set({ changed_at: isoNow() })
    .where('post_id', '=', id)
    .where('ended_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('acknowledgements as k').select('k.post_id').where('k.post_id', '=', id)),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) broadcast(context, tx, id, [user_id])
}

const getState = async (context: MemberContext, id: number) => {
  const state = (await read.states(context, [id])).posts[id]
  if (!state) throw posts.notFound()
  return state
}

/** After the commit, to all windows of these members. */
const broadcast = ({ realtime }: Pick<AppContext, 'realtime'>, tx: Tx, post_id: number, members: number[]) =>
  tx.afterCommit(() => {
    const channels = [...new Set(members)].map((user) => fillChannel(chatChannels.member, { user }))
    realtime.broadcast(channels, CHANGED_EVENT, { post_id }, { aboutUsers: [] })
  })

const ownPost = () =>
  new HttpError(403, {
    en: 'This is your own post, so you are not asked.',
    ja: 'ご自分の投稿なので、確認は必要ありません。',
  })
