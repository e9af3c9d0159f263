import '#features/chat/events.ts'
import '#features/people/events.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import { readGroupName } from '#features/chat/contacts.ts'
import { listConversationMemberIds } from '#features/chat/read.ts'
import { lockMemberRowsExclusively } from '#features/people/blocks.ts'
import { pauseNoLongerAllowedContactsOfChildren } from './contacts.ts'
import {
  recordGroupDeletionNoticesAboutChildren,
  recordNoticeAboutChild,
  recordSuspensionEndNoticeAboutChild,
  recordSuspensionNoticeAboutChild,
} from './notices.ts'

export const guardianDomainEventListeners: DomainEventListeners = {
  'group.member_added': async (tx, { conversation_id, user_id }) =>
    recordNoticeAboutChild(tx, {
      child: user_id,
      kind: 'group_added',
      text: await readGroupName(tx, conversation_id),
    }),
  'group.member_removed': async (tx, { conversation_id, user_id }, context) => {
    const members = await listConversationMemberIds(tx, conversation_id)
    // The lock lasts until the commit. A concurrent transaction that marks one of these members as a child
    // either waits for this one, or has committed, so that its mark is visible here.
    await lockMemberRowsExclusively(tx, [user_id, ...members])
    const text = await readGroupName(tx, conversation_id)
    await recordNoticeAboutChild(tx, { child: user_id, kind: 'group_removed', text })
    await pauseNoLongerAllowedContactsOfChildren(context, tx, [user_id], members)
  },
  'group.deleted': async (tx, { name, member_ids }, context) => {
    if (!member_ids.length) return
    await lockMemberRowsExclusively(tx, member_ids)
    await recordGroupDeletionNoticesAboutChildren(tx, member_ids, name)
    await pauseNoLongerAllowedContactsOfChildren(context, tx, member_ids, member_ids)
  },
  'member.suspended': (tx, { id }) => recordSuspensionNoticeAboutChild(tx, id),
  'member.unsuspended': (tx, { id }) => recordSuspensionEndNoticeAboutChild(tx, id),
}
