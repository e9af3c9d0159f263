import './events.ts'
import { type AppContext, withoutRoles } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import { findByHandles } from '#features/people/read-handles.ts'
import { mentionedHandles } from '#features/people/text-parts-contract.ts'
import * as visibility from '#features/people/visibility.ts'

type SourceKind = DomainEvents['mention.created']['source']

const sourceColumns = { post: 'post_id', reply: 'reply_id', message: 'message_id' } as const

export interface SourceText {
  source: SourceKind
  id: number
  /** The post of a reply; undefined for a post or a message. */
  replied_post_id?: number
  author: number
  body: string | null
  /** As far as the audience, group or chat decides; `members` or undefined for all members. */
  readViewers: () => Promise<AllowedViewers | undefined>
  /** Without seeing these people nobody may see the text: for a reply, the author of the post. */
  otherPeople?: readonly number[]
  /** Members who get another notification about the text; their mentions are not stored. */
  otherwiseNotified?: readonly number[]
}

/** Emits `mention.created` for each. The caller must store the text in the same transaction. */
export async function insert(context: AppContext, tx: Tx, text: SourceText) {
  await insertMentions(context, tx, text, await findMentionedMembers(context, tx, text))
}

/** Emits `mention.created` for each added mention and `mention.deleted` for each removed one. */
export async function update(context: AppContext, tx: Tx, text: SourceText) {
  const earlier = await tx
    .selectFrom('mentions')
    .select(['id', 'mentioned_id'])
    .where(sourceColumns[text.source], '=', text.id)
    .execute()
  const mentioned = await findMentionedMembers(context, tx, text)
  const removed = earlier.filter((row) => !mentioned.includes(row.mentioned_id))
  if (removed.length)
    await tx
      .deleteFrom('mentions')
      .where(
        'id',
        'in',
        removed.map(({ id }) => id),
      )
      .execute()
  for (const { mentioned_id } of removed)
    await context.emit(tx, 'mention.deleted', toEventPayload(text, mentioned_id))
  const known = new Set(earlier.map(({ mentioned_id }) => mentioned_id))
  await insertMentions(
    context,
    tx,
    text,
    mentioned.filter((id) => !known.has(id)),
  )
}

/** Emits `mention.deleted` for each. For a post, also deletes the mentions in its replies. */
export async function remove(context: AppContext, tx: Tx, source: SourceKind, id: number) {
  const deleted = await tx
    .deleteFrom('mentions')
    .where((where) =>
      source === 'post'
        ? where.or([where('post_id', '=', id), where('replied_post_id', '=', id)])
        : where(sourceColumns[source], '=', id),
    )
    .returning(['post_id', 'reply_id', 'message_id', 'user_id', 'mentioned_id'])
    .execute()
  for (const { post_id, reply_id, message_id, user_id, mentioned_id } of deleted)
    await context.emit(tx, 'mention.deleted', {
      source: post_id !== null ? 'post' : reply_id !== null ? 'reply' : 'message',
      source_id: (post_id ?? reply_id ?? message_id)!,
      user_id,
      mentioned_id,
    })
}

const toEventPayload = ({ source, id, author }: SourceText, mentioned_id: number) => ({
  source,
  source_id: id,
  user_id: author,
  mentioned_id,
})

async function insertMentions(context: AppContext, tx: Tx, text: SourceText, mentioned: readonly number[]) {
  if (!mentioned.length) return
  const common = {
    post_id: null,
    reply_id: null,
    replied_post_id: text.replied_post_id ?? null,
    message_id: null,
    user_id: text.author,
    created_at: isoNow(),
    [sourceColumns[text.source]]: text.id,
  }
  await tx
    .insertInto('mentions')
    .values(mentioned.map((mentioned_id) => ({ ...common, mentioned_id })))
    .execute()
  for (const mentioned_id of mentioned)
    await context.emit(tx, 'mention.created', toEventPayload(text, mentioned_id))
}

/** Members who may see the text and its author, without the author and those whom the author may not see. */
async function findMentionedMembers(context: AppContext, tx: Tx, text: SourceText) {
  const { author, otherPeople = [], otherwiseNotified = [] } = text
  const mentions = mentionedHandles(text.body ?? '')
  if (!mentions.length) return []
  const viewer = { ...withoutRoles(context, author), db: tx }
  const found = await findByHandles(viewer, mentions.flat())
  const byHandle = new Map(found.map(({ handle, id }) => [handle, id]))
  const without = new Set([author, ...otherwiseNotified])
  const ids = new Set(
    mentions
      .flatMap((handles) => handles.flatMap((handle) => byHandle.get(handle) ?? []).slice(0, 1))
      .filter((id) => !without.has(id)),
  )
  if (!ids.size) return []
  const allowed = await text.readViewers()
  const isAllowed = Array.isArray(allowed) ? new Set(allowed) : undefined
  const rows = await [author, ...otherPeople]
    .reduce(
      (query, person) => query.where(visibility.seenBy(person, 'users.id')),
      visibility
        .members(viewer)
        .select('users.id')
        .where('users.id', 'in', [...ids]),
    )
    .execute()
  return rows.map(({ id }) => id).filter((id) => isAllowed?.has(id) ?? true)
}
