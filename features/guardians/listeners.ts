import '#features/groups/events.ts'
import '#features/people/events.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import * as chats from '#features/conversations/read.ts'
import { getGroupName } from '#features/groups/read.ts'
import { lockExclusively } from '#features/people/blocks.ts'
import * as childContacts from './contacts.ts'
import * as childNotices from './notices.ts'
import * as waiting from './waiting.ts'

export const guardianListeners: Listeners = {
  'group.member_added': async (tx, { conversation_id, user_id }) =>
    childNotices.add(tx, {
      child: user_id,
      kind: 'group_added',
      text: await getGroupName(tx, conversation_id),
    }),
  'group.member_removed': async (tx, { conversation_id, user_id }, context) => {
    const members = await chats.listMemberIds(tx, conversation_id)
    // Until the commit: a transaction that marks one of these members waits, or has committed and is visible.
    await lockExclusively(tx, [user_id, ...members])
    const text = await getGroupName(tx, conversation_id)
    await childNotices.add(tx, { child: user_id, kind: 'group_removed', text })
    await childContacts.pause(context, tx, [user_id], members)
  },
  'group.ended': async (tx, { conversation_id }, context) => {
    const members = await chats.listMemberIds(tx, conversation_id)
    await lockExclusively(tx, members)
    await childContacts.pause(context, tx, members, members)
  },
  'group.deleted': async (tx, { name, member_ids }, context) => {
    if (!member_ids.length) return
    await lockExclusively(tx, member_ids)
    await childNotices.addGroupDeletion(tx, member_ids, name)
    await childContacts.pause(context, tx, member_ids, member_ids)
  },
  'member.deleted': (tx, { id }, context) => waiting.endOfMember(context, tx, id),
  'member.suspended': (tx, { id }) => childNotices.addSuspension(tx, id),
  'member.unsuspended': (tx, { id }) => childNotices.addSuspensionEnd(tx, id),
}
