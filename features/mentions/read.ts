import { sql } from 'kysely'
import type { PaginationParameters } from '#core/contract.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { requireGroupMembership } from '#features/chat/read.ts'
import { listRecentMessageAuthorIds } from '#features/chat/read-recent-authors.ts'
import { buildNotApartCondition } from '#features/people/apart.ts'
import { buildVisiblePersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import { buildMemberSearchByNameOrHandleQuery } from '#features/people/read-handles.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { listParticipantIdsOfPost } from '#features/replies/read-participants.ts'
import { MAX_MENTION_CANDIDATES, type MentionCandidate } from './contract.ts'

interface MentionCandidateSearch {
  q: string | null
  group?: number | undefined
  person?: number | undefined
  post?: number | undefined
}

/**
 * Lists the people whom the viewer may mention, in the order that `mentionEndpoints` describes. Throws 403 if
 * the viewer is not in the group, and 404 if the viewer may not see the post.
 */
export async function listMentionCandidates(
  viewer: MemberViewerContext,
  { q, group, person, post }: MentionCandidateSearch,
): Promise<MentionCandidate[]> {
  if (group !== undefined) await requireGroupMembership(viewer, group)
  const participants = await listParticipantIds(viewer, { group, post })
  const rows = await buildMemberSearchByNameOrHandleQuery(viewer, q ?? '', participants)
    .where(buildNotApartCondition(viewer, 'users.id'))
    .$if(group !== undefined, (query) =>
      query.where(
        sql<boolean>`users.id in (select user_id from (${viewer.groups.membersOf([group!])}) members)`,
      ),
    )
    .$if(person !== undefined, (query) => query.where('users.id', '=', person!))
    .limit(MAX_MENTION_CANDIDATES)
    .execute()
  return rows.map(({ bio: _, ...row }) => toPersonFromRow(viewer.media, row))
}

/**
 * Returns the ids of the author of a post and of the people who replied to it, or of the people who wrote in
 * a group. These people come first in the list of candidates, in the order of the returned ids.
 */
function listParticipantIds(viewer: MemberViewerContext, { group, post }: Omit<MentionCandidateSearch, 'q'>) {
  if (post !== undefined) return listParticipantIdsOfPost(viewer, post)
  return group === undefined ? [] : listRecentMessageAuthorIds(viewer.db, group)
}

// The functions below read the texts in which other people mention the viewer. The export of the viewer's
// data uses them.

/**
 * Returns one page of the mentions of the viewer in texts of people whom the viewer may see, newest first.
 */
export async function listMentionsOfViewerByOthers(viewer: MemberViewerContext, page: PaginationParameters) {
  const found = viewer.db
    .selectFrom('mentions as m')
    .innerJoin(buildVisiblePersonRowsQuery(viewer).as('u'), 'u.id', 'm.user_id')
    .select(['m.id', 'm.post_id', 'm.reply_id', 'm.message_id', 'm.created_at'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('m.mentioned_id', '=', viewer.me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'm.id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ author_id, name, image, shared_handle, ...row }) => ({
        ...row,
        user: toPersonFromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      })),
  )
}

export async function countMentionsOfViewerByOthers({ db, me }: MemberViewerContext) {
  const { count } = await db
    .selectFrom('mentions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mentioned_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}
