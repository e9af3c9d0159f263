import { sql } from 'kysely'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as chats from '#features/conversations/read.ts'
import { listRecentAuthors } from '#features/messages/read.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import { memberSearch } from '#features/people/read-handles.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { listParticipants } from '#features/replies/read-participants.ts'
import { type Candidate, MAX_CANDIDATES } from './contract.ts'

interface MentionCandidateSearch {
  q: string | null
  group?: number | undefined
  person?: number | undefined
  post?: number | undefined
}

/** Ordered as `mentionEndpoints` says. 403 if the viewer is not in the group, 404 for a post out of sight. */
export async function candidates(
  viewer: MemberViewer,
  { q, group, person, post }: MentionCandidateSearch,
): Promise<Candidate[]> {
  if (group !== undefined) await chats.requireMember(viewer, group)
  const participants = await listParticipantIds(viewer, { group, post })
  const rows = await memberSearch(viewer, q ?? '', participants)
    .where(notApart(viewer, 'users.id'))
    .$if(group !== undefined, (query) =>
      query.where(
        sql<boolean>`users.id in (select user_id from (${viewer.groups.membersOf([group!])}) members)`,
      ),
    )
    .$if(person !== undefined, (query) => query.where('users.id', '=', person!))
    .limit(MAX_CANDIDATES)
    .execute()
  return rows.map(({ bio: _, waits: _asked, ...row }) => people.fromRow(viewer.media, row))
}

/** The author of the post and those of its replies, or the authors in the group, in the order of the list. */
function listParticipantIds(viewer: MemberViewer, { group, post }: Omit<MentionCandidateSearch, 'q'>) {
  if (post !== undefined) return listParticipants(viewer, post)
  return group === undefined ? [] : listRecentAuthors(viewer.db, group)
}

/** Texts of people whom the viewer may see, newest first. */
export async function byOthers(viewer: MemberViewer, page: PageParams) {
  const found = viewer.db
    .selectFrom('mentions as m')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.id', 'm.post_id', 'm.reply_id', 'm.message_id', 'm.created_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('m.mentioned_id', '=', viewer.me.id)
  const rows = await pageOf(found, 'm.id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ author_id, name, image, shared_handle, ...row }) => ({
        ...row,
        user: people.fromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      })),
  )
}

export async function countByOthers({ db, me }: MemberViewer) {
  const { count } = await db
    .selectFrom('mentions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mentioned_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}
