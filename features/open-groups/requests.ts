import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { lockConversation } from '#features/conversations/locks.ts'
import * as chats from '#features/conversations/read.ts'
import { noSuchGroup } from '#features/groups/managers.ts'
import * as groupModel from '#features/groups/model.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { limitNewMember } from '#features/people/new-members.ts'
import { DAYS_AFTER_REFUSAL, type JoinState, MAX_WAITING } from './contract.ts'
import * as read from './read.ts'
import * as telling from './telling.ts'

// What a member does who wants to be in a group. Callers hold the lock of the group until the broadcast.

/**
 * Joins an open group, otherwise asks. Whoever was removed must ask, and so must everybody if a child would get a
 * new contact in the group: admins decide then, as they do when an owner may not add somebody. `checkLink`: the
 * member has a link to the group, with which every group is open; it throws if the link has ended.
 */
export const join = (
  context: MemberContext,
  group: number,
  checkLink?: (tx: Tx) => Promise<unknown>,
): Promise<JoinState> =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    await lockConversation(tx, group)
    await checkLink?.(tx)
    const isLinked = checkLink !== undefined
    const found = await read.find(viewer, group, isLinked)
    if (found?.is_member) return 'member'
    if (!found || (found.access === 'closed' && !isLinked)) throw noSuchGroup()
    const isOpen = (found.access === 'open' || isLinked) && !found.was_removed
    if (found.request === 'waiting' && !isOpen) return 'waiting'
    if (found.request === 'declined' && !(isLinked && isOpen)) throw declinedLately()
    return joinOrAsk(context, tx, { group, owner: found.owner_id, isOpen, request: found.request })
  })

interface Joined {
  group: number
  owner: number | null
  isOpen: boolean
  request: 'waiting' | 'declined' | null
}

async function joinOrAsk(context: MemberContext, tx: Tx, { group, owner, isOpen, request }: Joined) {
  const { me } = context
  const viewer = { ...context, db: tx }
  await limitNewMember(context, tx, 'group_join')
  const isAllowed = me.is_admin || !isOpen || (await mayMeetAll(context, tx, group))
  if (isOpen && isAllowed) {
    await groupModel.addMember(viewer, group, me.id)
    return 'member'
  }
  if (request === 'waiting') return 'waiting'
  if (!(await groupModel.hasRoom(viewer, group))) throw full()
  await ask(context, tx, { group, owner, isAllowed })
  return 'waiting'
}

async function mayMeetAll({ me, contacts }: MemberContext, tx: Tx, group: number) {
  const members = await chats.listMemberIds(tx, group)
  return contacts.areContactsAllowedOutsideGroup(tx, group, me.id, members)
}

interface Asked {
  group: number
  owner: number | null
  /** False: only an admin can accept it. */
  isAllowed: boolean
}

async function ask(context: MemberContext, tx: Tx, { group, owner, isAllowed }: Asked) {
  const { me, contacts } = context
  await lockMembers(tx, [me.id])
  await requireFewWaiting(tx, me.id)
  // A guardian's refusal keeps the two apart: admins get the request in place of the owner.
  const isDelivered =
    owner === null || (await contacts.deliver(tx, { from: me.id, to: owner, kind: 'group_request' }))
  const now = isoNow()
  await tx.deleteFrom('group_requests').where('group_id', '=', group).where('user_id', '=', me.id).execute()
  const request = await tx
    .insertInto('group_requests')
    .values({
      group_id: group,
      user_id: me.id,
      created_at: now,
      needs_admin_since: isAllowed && isDelivered ? null : now,
    })
    .returning(['id', 'group_id', 'needs_admin_since'])
    .executeTakeFirstOrThrow()
  await telling.tell(context, tx, request)
  telling.requestChanged(context, tx, me.id)
}

async function requireFewWaiting(tx: Tx, user: number) {
  const { count } = await tx
    .selectFrom('group_requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .where('decision', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_WAITING)
    throw new HttpError(403, {
      en: `${MAX_WAITING} of your requests wait already. Please wait for an answer, or take one back.`,
      ja: `返事を待っている申し込みは${MAX_WAITING}件までです。返事を待つか、どれかを取り消してください。`,
    })
}

/** Does nothing without a request that waits. */
export const takeBack = (context: MemberContext, group: number) =>
  transaction(context.db, async (tx) => {
    await lockConversation(tx, group)
    const request = await tx
      .selectFrom('group_requests')
      .select('id')
      .where('group_id', '=', group)
      .where('user_id', '=', context.me.id)
      .where('decision', 'is', null)
      .executeTakeFirst()
    if (request) await telling.removeRequests(context, tx, [request.id])
  })

const declinedLately = () =>
  new HttpError(403, {
    en: `The group has declined your request. You can ask again after ${DAYS_AFTER_REFUSAL} days.`,
    ja: `申し込みは断られました。${DAYS_AFTER_REFUSAL}日たつと、もう一度申し込めます。`,
  })

const full = () =>
  new HttpError(403, {
    en: 'The group is full at the moment.',
    ja: 'このグループは、人数の上限に達しています。',
  })
