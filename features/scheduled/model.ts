import type { MemberContext } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError, httpErrors } from '#core/http/errors.ts'
import { deleteWaiting, enqueueJob } from '#core/jobs/jobs.ts'
import { validationMessage } from '#core/text/i18n.ts'
import { countCodePoints } from '#core/text/unicode.ts'
import type { NewAttachments } from '#features/conversations/attachments.ts'
import { MAX_MESSAGE_LENGTH } from '#features/messages/contract.ts'
import * as tasks from '#features/notifications/tasks.ts'
import { requireLength } from '#features/posts/limits.ts'
import { tellChange } from './broadcasts.ts'
import { type Content, parse, type Target, targetOf } from './content.ts'
import { MAX_AHEAD, MAX_SCHEDULED, MIN_AHEAD } from './contract.ts'
import * as media from './media.ts'
import { type Sending, send } from './sending.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Sends it if it is due: the author may have chosen another time. */
    send_scheduled: { scheduled: number }
  }
}

export interface NewScheduled {
  target: Target
  content: Content
  attachments: NewAttachments
  due_at: string
  client_id: string | null
}

/** In UTC. 422 for a time in less than a minute or more than a year. */
export function requireTime(due_at: string) {
  const time = Date.parse(due_at)
  const ahead = time - Date.now()
  if (ahead >= MIN_AHEAD && ahead <= MAX_AHEAD) return new Date(time).toISOString()
  throw fieldError('due_at', {
    en: 'Choose a time at least a minute and at most a year from now.',
    ja: '日時は、1分後から1年後までで選んでください。',
  })
}

/** Undoes the transaction in which a post or message was written to see whether it may be. */
class Rehearsed extends Error {}

/**
 * Refuses what would be refused if it were sent now. A limit that ends soon (429) refuses nothing: only at its
 * time it counts.
 */
async function rehearse(context: MemberContext, sending: Omit<Sending, 'finish'>) {
  try {
    await send(context, {
      ...sending,
      finish: async () => {
        throw new Rehearsed()
      },
    })
  } catch (error) {
    const isLimit = error instanceof HttpError && error.status === 429
    if (!(error instanceof Rehearsed) && !isLimit) throw error
  }
}

/** A repeated `client_id` stores nothing. 422 for a wrong time, or above `MAX_SCHEDULED`. */
export async function add(context: MemberContext, given: NewScheduled) {
  const { db, me } = context
  const due_at = requireTime(given.due_at)
  const { target, content, attachments, client_id } = given
  requireSmall(content)
  await rehearse(context, { target, at: due_at, take: async () => ({ ...content, ...attachments }) })
  return transaction(db, async (tx) => {
    await lockName(tx, `scheduled ${me.id}`)
    const earlier = client_id === null ? undefined : await findByClientId(tx, me.id, client_id)
    if (earlier) return earlier
    await requireFewer(tx, me.id)
    const target_id = 'id' in target ? target.id : null
    const row = { user_id: me.id, client_id, kind: target.kind, target_id, due_at, created_at: isoNow() }
    const { id } = await tx
      .insertInto('scheduled')
      .values({ ...row, content: JSON.stringify(content), as_admin: asAdmin(context), refusal: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await media.attach(context, tx, id, attachments)
    await enqueue(tx, id, due_at)
    await tellChange(context, tx, me.id)
    return { id, due_at }
  })
}

const asAdmin = ({ me }: MemberContext) => (me.is_admin ? 1 : 0)

export async function enqueue(tx: Tx, id: number, due_at: string) {
  const job_id = await enqueueJob(tx, 'send_scheduled', { scheduled: id }, { runAt: new Date(due_at) })
  await tx.updateTable('scheduled').set({ job_id }).where('id', '=', id).execute()
}

/** Of what is sent, removed, or gets another time. */
export const deleteJobs = (tx: Tx, rows: readonly { job_id: number | null }[]) =>
  deleteWaiting(
    tx,
    'send_scheduled',
    rows.map(({ job_id }) => job_id),
  )

const findByClientId = (tx: Tx, author: number, client_id: string) =>
  tx
    .selectFrom('scheduled')
    .select(['id', 'due_at'])
    .where('user_id', '=', author)
    .where('client_id', '=', client_id)
    .executeTakeFirst()

/** Characters of the JSON. The schemas of the extras allow unknown fields, which nobody else bounds. */
const MAX_EXTRAS_LENGTH = 30_000

function requireSmall({ extras }: Content) {
  if (JSON.stringify(extras).length > MAX_EXTRAS_LENGTH)
    throw fieldError('extras', validationMessage('invalid', 'extras'))
}

async function requireFewer(tx: Tx, author: number) {
  const { count } = await tx
    .selectFrom('scheduled')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', author)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_SCHEDULED)
    throw fieldError('due_at', {
      en: `${MAX_SCHEDULED} things wait to be sent already. Send or remove one of them first.`,
      ja: `送信予約は${MAX_SCHEDULED}件までです。先に、どれかを送るか取り消してください。`,
    })
}

/** Locks it until the commit. Undefined unless it is the member's own. */
export const findOwn = (tx: Tx, author: number, id: number) =>
  tx
    .selectFrom('scheduled')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', author)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()

/** 404 where `findOwn` finds nothing. */
export async function lockOwn(tx: Tx, author: number, id: number) {
  const row = await findOwn(tx, author, id)
  if (!row) throw httpErrors.notFound()
  return row
}

/**
 * Another time, and perhaps another text. What was refused waits again. Refused for the reasons for which it
 * would be refused now.
 */
export async function change(context: MemberContext, id: number, due: string, text?: string | null) {
  const { db, me } = context
  const due_at = requireTime(due)
  const target = targetOf(await transaction(db, (tx) => lockOwn(tx, me.id, id)))
  const changed = async (tx: Tx) => {
    const row = await lockOwn(tx, me.id, id)
    const content = parse(row.content)
    return { row, content: text === undefined ? content : { ...content, body: text } }
  }
  await rehearse(context, {
    target,
    at: due_at,
    async take(tx) {
      const { row, content } = await changed(tx)
      await requireText(context, tx, row, content.body)
      return { ...content, ...(await media.release(tx, id)) }
    },
  })
  return transaction(db, async (tx) => {
    const { row, content } = await changed(tx)
    await tx
      .updateTable('scheduled')
      .set({ due_at, content: JSON.stringify(content), as_admin: asAdmin(context), refusal: null })
      .where('id', '=', id)
      .execute()
    await deleteJobs(tx, [row])
    await enqueue(tx, id, due_at)
    await endTask(context, tx, id)
    return { due_at }
  })
}

async function requireText(
  context: MemberContext,
  tx: Tx,
  { id, kind }: { id: number; kind: Target['kind'] },
  body: string | null,
) {
  if (kind === 'post') requireLength(context, body, 'text')
  else if (body && countCodePoints(body) > MAX_MESSAGE_LENGTH)
    throw fieldError('text', validationMessage(`max:${MAX_MESSAGE_LENGTH}`, 'text'))
  const hasMedia = await tx
    .selectFrom('scheduled_media')
    .select('id')
    .where('scheduled_id', '=', id)
    .executeTakeFirst()
  if (!body && !hasMedia) throw fieldError('text', validationMessage('required', 'text'))
}

/** Nobody has to decide about it any more. */
export async function endTask(context: MemberContext, tx: Tx, id: number) {
  await tasks.end(context, tx, { kind: 'not_sent', source: id })
  await tellChange(context, tx, context.me.id)
}

export const cancel = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const row = await lockOwn(tx, context.me.id, id)
    await media.remove(context, tx, [id])
    await deleteJobs(tx, [row])
    await tx.deleteFrom('scheduled').where('id', '=', id).execute()
    await endTask(context, tx, id)
  })

/** Belongs to the transaction that deletes the account. */
export async function deleteOfMember(context: Parameters<typeof media.remove>[0], tx: Tx, author: number) {
  const rows = await tx
    .selectFrom('scheduled')
    .select(['id', 'job_id'])
    .where('user_id', '=', author)
    .execute()
  await media.remove(
    context,
    tx,
    rows.map(({ id }) => id),
  )
  await deleteJobs(tx, rows)
  await tx.deleteFrom('scheduled').where('user_id', '=', author).execute()
}
