import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { groupChats, privateChats } from '#demo/chats.ts'
import { memberIndex } from '#demo/members.ts'
import {
  type DemoGroupChatDefinition,
  type DemoMessage,
  minutesAgo,
  type PrivateChat,
} from '#demo/messages.ts'
import type { StoredPictures } from '#demo/store-pictures.ts'
import type { GroupChange } from '#features/conversations/contract.ts'
import * as chats from '#features/conversations/read.ts'
import * as readMarks from '#features/conversations/read-marks.ts'
import * as groupModel from '#features/groups/model.ts'
import * as messageChanges from '#features/messages/changes.ts'
import { type NewMessage, storeInGroup, storePrivate } from '#features/messages/model.ts'

/**
 * The app context of the functions that write the demo chats into the database. Its `db` is the transaction
 * in which they write.
 */
interface FillContext extends AppContext {
  db: Tx
}
/** A step in the history of a chat: a message, or a change of a group. `run` writes it into the database. */
interface Step {
  minutesAgo: number
  run: (at: string) => Promise<unknown>
}
/** A message that has been written into the database: its id, and the user id of its author (`by`). */
interface Sent {
  id: number
  by: number
}
type Send = (me: number, message: NewMessage, at: string) => Promise<{ message: { id: number } }>

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/**
 * Writes all demo chats into the database, and marks messages as read. `ids` are the user ids of
 * `demoMembers`, in the same order. The messages of all chats are written in the order of their times,
 * because lists of chats are sorted by message ids.
 */
export async function seedDemoChats(context: FillContext, ids: readonly number[], pictures: StoredPictures) {
  const idOf = (who: string) => ids[memberIndex(who)]!
  const common = { context, idOf, pictures }
  const conversations = [
    ...privateChats.map(({ chat, messages }) => privateConversation(common, chat, messages)),
    ...groupChats.map(({ chat, messages }) => groupConversation(common, chat, messages)),
  ]
  const steps = conversations.flatMap((one) => one.steps).sort((a, b) => b.minutesAgo - a.minutesAgo)
  for (const { minutesAgo, run } of steps) await run(ago(minutesAgo))
  for (const { markAsRead } of conversations) await markAsRead()
}

interface Common {
  context: FillContext
  idOf: (who: string) => number
  pictures: StoredPictures
}

function privateConversation(common: Common, chat: PrivateChat, messages: readonly DemoMessage[]) {
  const { context, idOf } = common
  const [a, b] = chat.between.map(idOf) as [number, number]
  const sent: Sent[] = []
  const send: Send = (me, message, at) =>
    storePrivate(withoutRoles(context, me), me === a ? b : a, message, at)
  const steps = messages.map((message) => messageStep(common, message, sent, send))
  const markAsRead = async () => {
    const { conversation } = await chats.requirePrivate(withoutRoles(context, a), b)
    await markMessages(common, conversation!, chat.between, sent, chat.unread)
  }
  return { steps, markAsRead }
}

function groupConversation(common: Common, chat: DemoGroupChatDefinition, messages: readonly DemoMessage[]) {
  const { context, idOf } = common
  const member = withoutRoles(context, idOf('aya'))
  const admin = { ...member, me: { ...member.me, is_admin: true }, session: { token: '' } }
  const sent: Sent[] = []
  let group = 0
  const create = async (at: string) => {
    const created = await groupModel.create(admin, chat.renamed?.from ?? chat.name, at)
    group = created.id
    await setTime(context.db, created.change, at)
  }
  const rename = async (at: string) =>
    setTime(context.db, await groupModel.rename(admin, group, chat.name), at)
  const leave = async (who: string, at: string) =>
    setTime(context.db, await groupModel.leave(withoutRoles(context, idOf(who)), group), at)
  const send: Send = (me, message, at) => storeInGroup(withoutRoles(context, me), group, message, at)

  const madeAgo = minutesAgo(chat.made)!
  const members = chat.members.split(' ').map((entry) => entry.split('@') as [who: string, day?: string])
  const steps: Step[] = [
    { minutesAgo: madeAgo, run: create },
    ...members.map(([who, day]) => ({
      minutesAgo: day ? minutesAgo(`${day} 12:00`)! : madeAgo,
      run: (at: string) => addMember(common, group, who, at),
    })),
    ...Object.entries(chat.left ?? {}).map(([who, time]) => ({
      minutesAgo: minutesAgo(time)!,
      run: (at: string) => leave(who, at),
    })),
    ...messages.map((message) => messageStep(common, message, sent, send)),
  ]
  if (chat.renamed) steps.push({ minutesAgo: minutesAgo(chat.renamed.until)!, run: rename })

  const stayed = ['aya', ...members.map(([who]) => who)].filter((who) => !chat.left?.[who])
  return { steps, markAsRead: () => markMessages(common, group, stayed, sent, chat.unread) }
}

async function addMember({ context, idOf }: Common, group: number, who: string, at: string) {
  const added = await groupModel.addMember(withoutRoles(context, idOf('aya')), group, idOf(who))
  await setTime(context.db, added, at)
  await context.db
    .updateTable('conversation_members')
    .set({ created_at: at })
    .where('conversation_id', '=', group)
    .where('user_id', '=', idOf(who))
    .execute()
}

/**
 * Replaces the time of a group change in the database. The function that made the change stored the present
 * time, but in the demo the change happened earlier.
 */
async function setTime(tx: Tx, changed: GroupChange | null, created_at: string) {
  if (!changed) return
  await tx.updateTable('group_changes').set({ created_at }).where('id', '=', changed.id).execute()
}

function messageStep(
  { context, idOf, pictures }: Common,
  message: DemoMessage,
  sent: Sent[],
  send: Send,
): Step {
  const { by, minutesAgo, text, textBeforeEdit, deleted } = message
  const me = idOf(by)
  const alt = message.pictures.map((picture) => picture.alt)
  const run = async (at: string) => {
    const body = textBeforeEdit ?? text
    const { id } = (await send(me, { body, descriptions: alt, pictures: pictures.get(message) ?? [] }, at))
      .message
    sent.push({ id, by: me })
    const changedAt = ago(Math.max(minutesAgo - 1, 0))
    const row = context.db.updateTable('messages').where('id', '=', id)
    if (textBeforeEdit !== null) {
      await messageChanges.edit(withoutRoles(context, me), id, text)
      await row.set({ edited_at: changedAt }).execute()
    }
    if (deleted) {
      await messageChanges.remove(withoutRoles(context, me), id)
      await row.set({ deleted_at: changedAt }).execute()
    }
  }
  return { minutesAgo, run }
}

/**
 * Marks the messages of a chat as read, for each of `members`. If `unread` has a number for a member, that
 * many of the newest messages by others stay unread for this member.
 */
async function markMessages(
  { context, idOf }: Common,
  conversation: number,
  members: readonly string[],
  sent: readonly Sent[],
  unread: Readonly<Record<string, number>> = {},
) {
  for (const who of members) {
    const me = idOf(who)
    const count = unread[who] ?? 0
    const last = count ? sent.filter(({ by }) => by !== me).at(-count - 1) : sent.at(-1)
    await readMarks.moveForward(withoutRoles(context, me), conversation, last?.id ?? 0)
  }
}
