import { sql } from 'kysely'
import type { GroupQueries } from '#core/feature/groups.ts'
import * as channels from '#features/conversations/channels.ts'

// Private chats have rows in `conversation_members` too; groups are the conversations without `pair`.

export const groupMemberships: GroupQueries = {
  lockKeyOf: channels.group,
  groupsOf: (member) => sql`select c.id, c.name, c.owner_id = m.user_id as is_owner,
      c.ended_at is not null as has_ended
    from conversation_members m
    join conversations c on c.id = m.conversation_id and c.pair is null where m.user_id = ${member}`,
  membersOf: (groups) => sql`select m.conversation_id as group_id, m.user_id from conversation_members m
    join conversations c on c.id = m.conversation_id and c.pair is null
    where m.conversation_id in (${sql.join(groups)})`,
  // Without `update conversation_members`: reading messages, for example, never changes who is a member.
  dependencies: ['insert into conversation_members', 'delete from conversation_members'],
}
