import type { MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { ContactNotAllowed, withContact } from '#core/feature/contacts.ts'
import type { NewAttachments } from '#features/conversations/attachments.ts'
import * as channels from '#features/conversations/channels.ts'
import { storeInGroup, storePrivate } from '#features/messages/model.ts'
import { tellGroup, tellPrivate } from '#features/messages/send.ts'
import { lockMembers } from '#features/people/blocks.ts'
import * as broadcasts from '#features/posts/broadcasts.ts'
import * as posts from '#features/posts/model.ts'
import * as postsRead from '#features/posts/read.ts'
import type { Content, Target } from './content.ts'

export interface Sending {
  target: Target
  /** ISO 8601. */
  at: string
  /** Begins the transaction: what is sent. */
  take: (tx: Tx) => Promise<Content & NewAttachments>
  /** Ends the transaction. Undoes all of it by an error. */
  finish?: (tx: Tx) => Promise<unknown>
}

/** As if the author did it now: with all checks, and the live events after the commit. */
export const send = (context: MemberContext, sending: Sending) =>
  sending.target.kind === 'post' ? sendPost(context, sending) : sendMessage(context, sending, sending.target)

async function sendPost(context: MemberContext, { at, take, finish }: Sending) {
  const id = await transaction(context.db, async (tx) => {
    await lockMembers(tx, [context.me.id])
    const post = await posts.create({ ...context, db: tx }, await take(tx), at)
    await finish?.(tx)
    return post.id
  })
  await broadcasts.created(context, await postsRead.get(context, id))
}

type MessageTarget = Extract<Target, { id: number }>

function sendMessage(context: MemberContext, sending: Sending, { kind, id }: MessageTarget) {
  const { me } = context
  const isPrivate = kind === 'person'
  const channel = isPrivate ? channels.privateChat(me.id, id) : channels.group(id)
  return context.withLock(channel, async () => {
    const { tell, run, count } = storing(context, sending, { kind, id })
    await withContact(context, 'first_message', run, count)
    tell()
  })
}

/**
 * The functions that store a message ask for a contact in a transaction of their own, after theirs is undone.
 * Here theirs is a part of `run`, so `withContact` asks in their place, and counts with `count`.
 */
function storing(context: MemberContext, { at, take, finish }: Sending, { kind, id }: MessageTarget) {
  let tell = () => {}
  let counted: ((tx: Tx) => Promise<unknown>) | undefined
  const requestContact: MemberContext['contacts']['requestContact'] = async (_, { to }, count) => {
    counted = count
    return new ContactNotAllowed(to)
  }
  const run = async (tx: Tx) => {
    const inside = { ...context, db: tx, contacts: { ...context.contacts, requestContact } }
    await lockMembers(tx, kind === 'person' ? [context.me.id, id] : [context.me.id])
    const message = await take(tx)
    if (kind === 'person') {
      const stored = await storePrivate(inside, id, message, at)
      tell = () => tellPrivate(context, id, stored)
    } else {
      const stored = await storeInGroup(inside, id, message, at)
      tell = () => tellGroup(context, stored)
    }
    await finish?.(tx)
  }
  return { run, tell: () => tell(), count: async (tx: Tx) => counted?.(tx) }
}
