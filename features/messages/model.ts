import { sql } from 'kysely'
import type { CurrentUser, MemberContext } from '#core/context.ts'
import { hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { ContactNotAllowed, withContact } from '#core/feature/contacts.ts'
import { addExtras, type ExtraValues } from '#core/feature/extras.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import type { NewAttachments } from '#features/conversations/attachments.ts'
import * as attached from '#features/conversations/attachments.ts'
import { lockConversation, lockPrivateChat } from '#features/conversations/locks.ts'
import { openPrivateChat, type TargetChat } from '#features/conversations/open-private.ts'
import type { MessageRow } from '#features/conversations/read.ts'
import * as chats from '#features/conversations/read.ts'
import * as readMarks from '#features/conversations/read-marks.ts'
import { findKeptApart } from '#features/groups/of-two.ts'
import { enforceSlowMode } from '#features/groups/slow-mode.ts'
import { requireMayWrite } from '#features/groups/writers.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { hasMuted } from '#features/people/mutes.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import { isFollowing } from '#features/people/read-follows.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import type { QuoteOrForward } from './broadcasts.ts'
import * as forwards from './forward-marks.ts'
import { groupMapper, privateMapper } from './mappers.ts'
import { getParts, type MessageParts } from './parts.ts'
import * as quotes from './quotes.ts'
import * as read from './read.ts'
import * as readForwards from './read-forwards.ts'

export interface NewMessage extends NewAttachments {
  body: string | null
  client_id?: string | null
  /** A message of the same conversation. */
  quotes_id?: number | null
  /** A message of any chat of the author. */
  forwards_id?: number | null
  extras?: ExtraValues
}

/**
 * A repeated `client_id` stores nothing: returns the earlier message, `isNew` false. `isMuted`: the other
 * person has muted the author. 403 or 404 without access, 429 beyond the limits for new members, 403 without
 * contact (see `withContact`). A refused message counts for the limits too: nobody gets
 * around them so.
 */
export const storePrivate = (context: MemberContext, other: number, message: NewMessage, at = isoNow()) => {
  const { me } = context
  const count = async (tx: Tx) => {
    const access = await chats.requirePrivate({ ...context, db: tx }, other)
    if (access.conversation === null && !(await isFollowing(tx, other, me.id)))
      await limitNewMember(context, tx, 'chat')
    return access
  }
  const send = async (tx: Tx) => {
    const viewer = { ...context, db: tx }
    // The members first and the conversation second, as all transactions do.
    const [, isLocked] = await Promise.all([
      lockMembers(tx, [me.id, other]),
      lockPrivateChat(tx, me.id, other),
    ])
    const [access, isMuted] = await Promise.all([count(tx), hasMuted(tx, other, me.id)])
    if (access.former_since !== null) throw createFormerMemberError()
    await context.contacts.requireContact(tx, me.id, other).catch(async (refusal: unknown) => {
      if (!(refusal instanceof ContactNotAllowed)) throw refusal
      // A repeated request gets the stored message, whatever has changed since.
      if (!(await isStored(tx, access.conversation, me.id, message))) throw refusal
    })
    const target = await openPrivateChat(tx, access, me.id, other, at)
    if (access.conversation === null)
      tx.afterCommit(() => context.realtime.refreshPresencePeers([me.id, other]))
    // Another request may have created the conversation meanwhile.
    if (!isLocked) await lockConversation(tx, target.id)
    const { row, isNew } = await insertMessage(context, tx, target, message, at)
    if (access.first_sent_at === null) await setFirstReceived(tx, target.id, other, at)
    const { ofMessage, ...forBroadcast } = await readPartsOfSentMessage(viewer, row, message, isNew)
    return {
      message: privateMapper(me.id, other)(row, ofMessage),
      ...{ isNew, isMuted },
      ...forBroadcast,
    }
  }
  return withContact(context, 'first_message', send, count)
}

/** Keeps a time that is stored already. */
const setFirstReceived = (tx: Tx, conversation: number, member: number, at: string) =>
  tx
    .updateTable('conversation_members')
    .set({ first_received_at: at })
    .where('conversation_id', '=', conversation)
    .where('user_id', '=', member)
    .where('first_received_at', 'is', null)
    .execute()

const isStored = async (tx: Tx, conversation: number | null, author: number, { client_id }: NewMessage) =>
  conversation !== null &&
  Boolean(client_id) &&
  hasMatchingRow(
    tx
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', conversation)
      .where('user_id', '=', author)
      .where('client_id', '=', client_id!),
  )

const createFormerMemberError = () =>
  new HttpError(403, {
    en: 'This person is no longer a member, so you cannot write to them.',
    ja: 'この人はもうメンバーではないため、メッセージを送れません。',
  })

/**
 * A repeated `client_id` stores nothing, as in `storePrivate`; `members` is then empty. 429 if slow
 * mode makes the author wait, 403 in a group of only the author and a person kept apart from them
 * (`contacts.apart`).
 */
export const storeInGroup = (context: MemberContext, group: number, message: NewMessage, at = isoNow()) =>
  withContact(context, 'first_message', async (tx) => {
    const viewer = { ...context, db: tx }
    await lockConversation(tx, group)
    const [membership, author, members, apart] = await Promise.all([
      chats.requireMember(viewer, group),
      read.ownColumns(viewer),
      chats.listMemberIds(tx, group),
      findKeptApart(context, tx, group),
    ])
    const target = { id: group, is_group: true, first_recipient_id: null }
    const { row, isNew } = await insertMessage(context, tx, target, message, at)
    if (isNew && apart !== undefined) throw new ContactNotAllowed(apart)
    if (isNew) requireMayWrite(context.me, membership)
    if (isNew) await enforceSlowMode(context, tx, membership, at)
    const { ofMessage, ...forBroadcast } = await readPartsOfSentMessage(viewer, row, message, isNew)
    return {
      message: groupMapper(viewer)({ ...row, ...author }, ofMessage),
      ...{ isNew, members: isNew ? members : [] },
      ...forBroadcast,
    }
  })

/** `ofMessage` is for the response, the rest for the live event; a repeated message sends none. */
async function readPartsOfSentMessage(
  viewer: MemberViewer,
  row: MessageRow,
  { pictures, files = [], quotes_id = null, forwards_id = null }: NewMessage,
  isNew: boolean,
): Promise<QuoteOrForward & { ofMessage: MessageParts }> {
  const hasParts = pictures.length > 0 || files.length > 0 || quotes_id !== null || forwards_id !== null
  return {
    ofMessage: isNew && !hasParts ? attached.none : await getParts(viewer, row),
    quote: isNew ? await quotes.live(viewer, row.quotes_id) : null,
    forward: isNew && forwards_id !== null ? await readForwards.live(viewer, row.id) : null,
  }
}

async function insertMessage(
  context: MemberContext,
  tx: Tx,
  { id: conversation_id, ...target }: TargetChat,
  { body, client_id = null, quotes_id = null, forwards_id = null, extras = {}, ...attachments }: NewMessage,
  created_at: string,
) {
  const { me, emit } = context
  const author = { conversation_id, user_id: me.id }
  const values = { ...author, client_id, body: body ?? '', created_at }
  const row = await insertRow(tx, me, values)
  if (!row) return findMessageByClientId({ ...context, db: tx }, conversation_id, client_id!)
  const { id } = row
  const quoted_user_id =
    quotes_id && (await storeQuote({ ...context, db: tx }, conversation_id, id, quotes_id))
  if (forwards_id !== null) await forwards.addMark({ ...context, db: tx }, id, forwards_id)
  await attached.add(context, tx, id, attachments)
  await emit(tx, 'message.created', { id, ...author, body: row.body, ...target, quoted_user_id })
  await addExtras(context, tx, { kind: 'message', id, at: created_at }, extras)
  return { row: { ...row, quotes_id }, isNew: true }
}

/**
 * Returns the author of the quoted message; null for a former member. 422 if the author sees no such message
 * there.
 */
async function storeQuote(
  viewer: MemberViewer & { db: Tx },
  conversation: number,
  id: number,
  quotes_id: number,
) {
  // The new message is already stored, but cannot quote itself.
  const author = quotes_id < id ? await quotes.findAuthor(viewer, conversation, quotes_id) : undefined
  if (author === undefined)
    throw fieldError('quotes_id', {
      en: 'The message that you are answering is not in this chat any more.',
      ja: '返信先のメッセージは、このチャットにはもうありません。',
    })
  await viewer.db.updateTable('messages').set({ quotes_id }).where('id', '=', id).execute()
  return author
}

async function findMessageByClientId(viewer: MemberViewer, conversation: number, client_id: string) {
  const row = await viewer.db
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversation)
    .where('user_id', '=', viewer.me.id)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow()
  return { row, isNew: false }
}

type NewMessageValues = Pick<MessageRow, 'conversation_id' | 'user_id' | 'client_id' | 'body' | 'created_at'>

/** Also moves the author's read mark. Undefined for a repeated `client_id`. The conversation is locked. */
async function insertRow(
  tx: Tx,
  me: CurrentUser,
  { conversation_id, user_id, client_id, body, created_at }: NewMessageValues,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    insert into messages (conversation_id, user_id, client_id, body, created_at)
      values (${conversation_id}, ${user_id}, ${client_id}, ${body}, ${created_at})
    on conflict (conversation_id, user_id, client_id) do nothing returning *`.execute(tx)
  if (rows[0]) await readMarks.updateForOwn(me, conversation_id, rows[0].id).execute(tx)
  return rows[0]
}
