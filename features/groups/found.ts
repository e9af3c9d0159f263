import { type SqlBool, sql } from 'kysely'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import { allQuery } from './read.ts'

// For features that show groups to people who are not in them. Which groups those are, they decide.

/** Groups as `c`, without those whose owner the viewer may not see, except for admins. Counts the members whom the viewer may see. */
export const foundRows = (viewer: MemberViewer) =>
  allQuery(viewer.db)
    .select(['c.id', 'c.name', 'c.picture', 'c.description', 'c.owner_id'])
    .select(
      sql<number>`(select count(*) from conversation_members m where m.conversation_id = c.id
        and ${visibility.canSee(viewer, 'm.user_id')})`.as('members_count'),
    )
    .select(
      sql<unknown>`exists (select 1 from conversation_members mine
        where mine.conversation_id = c.id and mine.user_id = ${viewer.me.id})`.as('is_member'),
    )
    .$if(!viewer.me.is_admin, (rows) =>
      rows.where(sql<SqlBool>`(c.owner_id is null or ${visibility.canSee(viewer, 'c.owner_id')})`),
    )
