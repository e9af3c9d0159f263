import { sql } from 'kysely'
import type { Db } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type PagedResponse, paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { GroupMessage } from '#features/conversations/message-schemas.ts'
import {
  idOrder,
  messagesQuery,
  noMessage,
  requireMember,
  requirePrivate,
} from '#features/conversations/read.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { groupMapper, type MessageMapper, privateMapper, toPlaceholder } from './mappers.ts'
import { getParts, lookupParts } from './parts.ts'

export async function privateMessages(viewer: MemberViewer, other: number, page: PageParams) {
  const { conversation } = await requirePrivate(viewer, other)
  if (conversation === null) return { body: [], next: null }
  return readMessagePage(viewer, conversation, page, privateMapper(viewer.me.id, other))
}

/** A message of a blocked or muted author has no content; the page shows a note in its place. */
export async function groupMessages(viewer: MemberViewer, group: number, page: PageParams) {
  await requireMember(viewer, group)
  const toMessage = groupMapper(viewer)
  return readMessagePage(viewer, group, page, (row, parts) =>
    row.is_blocked === null && row.is_muted === null ? toMessage(row, parts) : toPlaceholder(row),
  )
}

/** 404 if there is no such message in a group of the viewer, or its author has blocked the viewer. */
export async function showMessage(viewer: MemberViewer, id: number): Promise<GroupMessage> {
  const row = await messagesQuery(viewer)
    .innerJoin('conversation_members as mine', 'mine.conversation_id', 'm.conversation_id')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .where('m.id', '=', id)
    .where('mine.user_id', '=', viewer.me.id)
    .where('c.name', 'is not', null)
    .executeTakeFirst()
  if (!row) throw noMessage()
  return groupMapper(viewer)(row, await getParts(viewer, row))
}

export async function ownColumns(viewer: MemberViewer) {
  const { id: _, ...columns } = await people
    .unfiltered(viewer)
    .where('users.id', '=', viewer.me.id)
    .executeTakeFirstOrThrow()
  return { ...columns, is_blocked: null, is_muted: null }
}

/** The caller must have checked the membership. */
export async function getGroupMessage(viewer: MemberViewer, id: number) {
  const row = await messagesQuery(viewer).where('m.id', '=', id).executeTakeFirstOrThrow()
  return groupMapper(viewer)(row, await getParts(viewer, row))
}

/** Oldest first: those before the id `before`, after the id `after`, or the newest. */
async function readMessagePage<T>(
  viewer: MemberViewer,
  conversation: number,
  page: PageParams,
  toJson: MessageMapper<T>,
): Promise<PagedResponse<T[]>> {
  const isForward = page.after !== undefined
  const found = messagesQuery(viewer).where('m.conversation_id', '=', conversation)
  const rows = await pageOf(found, idOrder, page, isForward ? 'asc' : 'desc').execute()
  const partsOf = await lookupParts(viewer, rows.slice(0, page.limit))
  return paged(
    rows,
    page.limit,
    (last) => ({ [isForward ? 'after' : 'before']: last.id }),
    (shown) => (isForward ? shown : shown.toReversed()).map((row) => toJson(row, partsOf(row))),
  )
}

export async function countMessages({ db, me }: MemberViewer) {
  const { count } = await db
    .selectFrom('conversation_members as m')
    .innerJoin('messages as x', 'x.conversation_id', 'm.conversation_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('m.user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Newest of a conversation. */
const SEARCHED_MESSAGES = 200
const MAX_AUTHORS = 20

/** Latest first. The caller checks that the viewer is in the conversation, and whom of these they may see. */
export async function listRecentAuthors(db: Db, conversation: number) {
  const newest = db
    .selectFrom('messages')
    .select(['id', 'user_id'])
    .where('conversation_id', '=', conversation)
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .orderBy(sql`id + 0`, 'desc')
    .limit(SEARCHED_MESSAGES)
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select('user_id')
    .groupBy('user_id')
    .orderBy(({ fn }) => fn.max('id'), 'desc')
    .limit(MAX_AUTHORS)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
