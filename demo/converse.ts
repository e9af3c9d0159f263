import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Picture } from '#core/media/images.ts'
import { indexOf } from '#demo/cast.ts'
import { aya } from '#demo/chats/aya.ts'
import { ben } from '#demo/chats/ben.ts'
import { bread } from '#demo/chats/bread.ts'
import { groups } from '#demo/chats/groups.ts'
import { type DemoMessage, type GroupTalk, messagesOf, type PrivateTalk, timeOf } from '#demo/talk.ts'
import * as groupModel from '#features/chat/groups.ts'
import { edit, type NewMessage, privateChat, remove, sendPrivate, sendToGroup } from '#features/chat/model.ts'
import { read } from '#features/chat/reads.ts'

/** Has pictures stored, and `work` record them. */
export type Show = <T>(
  shots: DemoMessage['pictures'],
  work: (made: readonly Picture[]) => Promise<T>,
) => Promise<T>

interface Step {
  minutesAgo: number
  take: (at: string) => Promise<unknown>
}
interface Said {
  id: number
  by: number
}

/** Everything that was said in chats, and what of it was read. Lists go by the ids of messages, so all chats are told at once, in the order of time. */
export async function converse(context: AppContext, people: readonly number[], show: Show) {
  const idOf = (who: string) => people[indexOf(who)]!
  const talks = [
    ...[bread, ...aya, ...ben].map((talk) => between(context, talk, idOf, show)),
    ...groups.map((talk) => within(context, talk, idOf, show)),
  ]
  const steps = talks.flatMap((talk) => talk.steps).sort((a, b) => b.minutesAgo - a.minutesAgo)
  for (const { minutesAgo, take } of steps) await take(ago(minutesAgo))
  for (const { settle } of talks) await settle()
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

type IdOf = (who: string) => number

function between(context: AppContext, talk: PrivateTalk, idOf: IdOf, show: Show) {
  const { db, media } = context
  const [a, b] = talk.between.map(idOf) as [number, number]
  const said: Said[] = []
  const steps = messagesOf(talk.between.join(), talk).map((message) =>
    speech(context, message, idOf, show, said, (me, given, at) =>
      sendPrivate(db, media, me, me === a ? b : a, given, at),
    ),
  )
  const settle = async () =>
    readAll(context, (await privateChat(db, a, b)).conversation!, talk.between, talk.unread, said, idOf)
  return { steps, settle }
}

function within(context: AppContext, talk: GroupTalk, idOf: IdOf, show: Show) {
  const { db, media } = context
  const admin = idOf('aya')
  const said: Said[] = []
  let group = 0
  const members = talk.members.split(' ').map((entry) => entry.split('@') as [who: string, day?: string])
  const stamp = async (happened: groupModel.Happened | null, at: string) =>
    happened &&
    transaction(db, (tx) =>
      tx.updateTable('group_changes').set({ created_at: at }).where('id', '=', happened.change.id).execute(),
    )
  const found = async (at: string) => {
    const made = await groupModel.create(db, media, admin, talk.renamed?.from ?? talk.name, at)
    await stamp(made, at)
    group = made.id
  }
  const add = async (who: string, at: string) => {
    await stamp(await groupModel.addUser(db, media, admin, group, idOf(who)), at)
    await transaction(db, (tx) =>
      tx
        .updateTable('members')
        .set({ created_at: at })
        .where('conversation_id', '=', group)
        .where('user_id', '=', idOf(who))
        .execute(),
    )
  }
  const made = timeOf(talk.made)!
  const steps: Step[] = [
    { minutesAgo: made, take: found },
    ...members.map(([who, day]) => ({
      minutesAgo: day ? timeOf(`${day} 12:00`)! : made,
      take: (at: string) => add(who, at),
    })),
    ...Object.entries(talk.left ?? {}).map(([who, when]) => ({
      minutesAgo: timeOf(when)!,
      take: async (at: string) => stamp(await groupModel.leave(db, media, idOf(who), group), at),
    })),
    ...messagesOf(talk.name, talk).map((message) =>
      speech(context, message, idOf, show, said, (me, given, at) =>
        sendToGroup(db, media, me, group, given, at),
      ),
    ),
  ]
  if (talk.renamed)
    steps.push({
      minutesAgo: timeOf(talk.renamed.until)!,
      take: async (at) => stamp(await groupModel.rename(db, media, admin, group, talk.name), at),
    })
  const there = ['aya', ...members.map(([who]) => who)].filter((who) => talk.left?.[who] === undefined)
  const settle = () => readAll(context, group, there, talk.unread, said, idOf)
  return { steps, settle }
}

type Send = (me: number, given: NewMessage, at: string) => Promise<{ message: { id: number } }>

function speech(
  { db, media }: AppContext,
  message: DemoMessage,
  idOf: IdOf,
  show: Show,
  said: Said[],
  send: Send,
): Step {
  const { by, minutesAgo, text, was, gone, pictures } = message
  const me = idOf(by)
  const take = async (at: string) => {
    const given = { body: was ?? text, alt: pictures.map(({ alt }) => alt) }
    const { id } = (await show(pictures, (made) => send(me, { ...given, pictures: made }, at))).message
    said.push({ id, by: me })
    const soon = ago(Math.max(minutesAgo - 1, 0))
    const save = (values: { edited_at: string } | { deleted_at: string }) =>
      transaction(db, (tx) => tx.updateTable('messages').set(values).where('id', '=', id).execute())
    if (was !== null) {
      await edit(db, media, me, id, text)
      await save({ edited_at: soon })
    }
    if (gone) {
      await remove(db, media, me, id)
      await save({ deleted_at: soon })
    }
  }
  return { minutesAgo, take }
}

async function readAll(
  { db }: AppContext,
  conversation: number,
  people: readonly string[],
  unread: Readonly<Record<string, number>> = {},
  said: readonly Said[],
  idOf: IdOf,
) {
  for (const who of people) {
    const me = idOf(who)
    const left = unread[who] ?? 0
    const last = left ? said.filter(({ by }) => by !== me).at(-left - 1) : said.at(-1)
    if (last) await read(db, me, conversation, last.id)
  }
}
