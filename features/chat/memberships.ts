import { sql } from 'kysely'
import type { GroupMembershipQueryBuilders } from '#core/groups.ts'
import { toGroupChannelName } from './broadcasts.ts'

// Private chats have rows in `conversation_members` too, so the queries select only conversations without
// `pair`, which are the groups.

export const chatGroupMembershipQueryBuilders: GroupMembershipQueryBuilders = {
  lockKeyOf: toGroupChannelName,
  groupsOf: (member) => sql`select c.id, c.name, c.owner_id = m.user_id as is_owner
    from conversation_members m
    join conversations c on c.id = m.conversation_id and c.pair is null where m.user_id = ${member}`,
  membersOf: (groups) => sql`select m.conversation_id as group_id, m.user_id from conversation_members m
    join conversations c on c.id = m.conversation_id and c.pair is null
    where m.conversation_id in (${sql.join(groups)})`,
  // `dependencies` leaves out `update conversation_members`: an update of the rows of this table, for example
  // when a member reads messages, never changes who is a member of a group.
  dependencies: ['insert into conversation_members', 'delete from conversation_members'],
}
