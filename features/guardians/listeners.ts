import '#features/chat/events.ts'
import '#features/people/events.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import { readGroupName } from '#features/chat/contacts.ts'
import { listConversationMemberIds } from '#features/chat/read.ts'
import { lockMembersExclusively } from '#features/people/blocks.ts'
import { pauseContactsWithoutReason } from './contacts.ts'
import {
  recordChildNotice,
  recordGroupDeletionNotices,
  recordSuspensionEndNotice,
  recordSuspensionNotice,
} from './notices.ts'

export const guardianListeners: DomainEventListeners = {
  'group.member_added': async (tx, { conversation_id, user_id }) =>
    recordChildNotice(tx, {
      child: user_id,
      kind: 'group_added',
      text: await readGroupName(tx, conversation_id),
    }),
  'group.member_removed': async (tx, { conversation_id, user_id }, context) => {
    const members = await listConversationMemberIds(tx, conversation_id)
    // If another transaction marks one of these members as a child, either it waits for this one, or it has
    // committed and its mark is visible here.
    await lockMembersExclusively(tx, [user_id, ...members])
    const text = await readGroupName(tx, conversation_id)
    await recordChildNotice(tx, { child: user_id, kind: 'group_removed', text })
    await pauseContactsWithoutReason(context, tx, [user_id], members)
  },
  'group.deleted': async (tx, { name, member_ids }, context) => {
    if (!member_ids.length) return
    await lockMembersExclusively(tx, member_ids)
    await recordGroupDeletionNotices(tx, member_ids, name)
    await pauseContactsWithoutReason(context, tx, member_ids, member_ids)
  },
  'member.suspended': (tx, { id }) => recordSuspensionNotice(tx, id),
  'member.unsuspended': (tx, { id }) => recordSuspensionEndNotice(tx, id),
}
