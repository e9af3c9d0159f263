import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, hasMatchingRow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import type { EmojiCount, Reactor, SubjectKind, Summaries } from './contract.ts'
import { subjects } from './subjects.ts'

/** By the id of a post, reply or message of one kind. */
export type CountsById = Map<number, EmojiCount[]>

/**
 * The emoji that was used first is first. Does not check who may see them. The numbers are the same for all
 * viewers, like those of likes (docs/decisions/0014-one-like-count.md); only `mine` depends on the viewer.
 */
export async function counts(
  { db, me }: Pick<ViewerContext, 'db' | 'me'>,
  subject: SubjectKind,
  ids: readonly number[],
): Promise<CountsById> {
  const found: CountsById = new Map(ids.map((id) => [id, []]))
  if (!ids.length) return found
  const column = subjects[subject].column
  const isMine: RawBuilder<number> = sql`max(case when user_id = ${me?.id ?? 0} then 1 else 0 end)`
  const rows = await db
    .selectFrom('reactions')
    .select([`${column} as subject_id`, 'emoji'])
    .select(({ fn }) => [fn.countAll<number>().as('count'), isMine.as('mine')])
    .where(column, 'in', ids)
    .groupBy([column, 'emoji'])
    .orderBy(({ fn }) => fn.min('id'))
    .execute()
  for (const { subject_id, emoji, count, mine } of rows)
    found.get(subject_id!)!.push({ emoji, count: Number(count), mine: Number(mine) === 1 })
  return found
}

export async function summaries(
  viewer: ViewerContext & Pick<AppContext, 'settings'>,
  input: Readonly<Record<'posts' | 'replies' | 'messages', number[]>>,
): Promise<Summaries> {
  const countById = async (subject: SubjectKind, ids: readonly number[]) =>
    Object.fromEntries(await countVisibleReactions(viewer, subject, ids))
  const [posts, replies, messages] = await Promise.all([
    countById('post', input.posts),
    countById('reply', input.replies),
    countById('message', input.messages),
  ])
  return { emoji: [...viewer.settings.current().reaction_emoji], posts, replies, messages }
}

const countVisibleReactions = async (viewer: ViewerContext, subject: SubjectKind, ids: readonly number[]) =>
  counts(viewer, subject, await subjects[subject].listVisibleIds(viewer, ids))

export const isVisible = async (viewer: ViewerContext, subject: SubjectKind, id: number) =>
  (await subjects[subject].listVisibleIds(viewer, [id])).length > 0

/** Does not check whether the member may see it. */
export async function hasReacted(
  { db, me }: Pick<MemberViewer, 'db' | 'me'>,
  subject: SubjectKind,
  id: number,
  emoji: string,
) {
  const row = await db
    .selectFrom('reactions')
    .select('id')
    .where(subjects[subject].column, '=', id)
    .where('emoji', '=', emoji)
    .where('user_id', '=', me.id)
    .executeTakeFirst()
  return row !== undefined
}

/** Does not check whether the member may see it. */
export const hasAny = (db: Db, subject: SubjectKind, id: number, member: number) =>
  hasMatchingRow(
    db
      .selectFrom('reactions')
      .select('id')
      .where(subjects[subject].column, '=', id)
      .where('user_id', '=', member),
  )

/**
 * By the id of the post, reply or message. Counts only other people whom the viewer may see and has not
 * muted. The emoji that most people use is first. Does not check whether the viewer may see the content.
 */
export async function emojiOfOthers(viewer: MemberViewer, subject: SubjectKind, ids: readonly number[]) {
  const found = new Map<number, string[]>(ids.map((id) => [id, []]))
  if (!ids.length) return found
  const column = `r.${subjects[subject].column}` as const
  const rows = await visibility
    .reaching(viewer)
    .innerJoin('reactions as r', 'r.user_id', 'users.id')
    .select([`${column} as subject_id`, 'r.emoji'])
    .where(column, 'in', ids)
    .where('r.user_id', '!=', viewer.me.id)
    .groupBy([column, 'r.emoji'])
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy(({ fn }) => fn.min('r.id'))
    .execute()
  for (const { subject_id, emoji } of rows) found.get(subject_id!)!.push(emoji)
  return found
}

/**
 * The newest reaction first, without people whom a guardian keeps apart from the viewer. 404 if the viewer
 * may not see the post, reply or message.
 */
export async function listReactors(
  viewer: MemberViewer,
  subject: SubjectKind,
  { id, emoji, ...page }: PageParams & { id: number; emoji?: string | undefined },
) {
  const { column, createNotFoundError } = subjects[subject]
  if (!(await isVisible(viewer, subject, id))) throw createNotFoundError()
  const found = viewer.db
    .selectFrom('reactions as r')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'r.user_id')
    .select(['r.id', 'r.emoji', 'r.created_at'])
    .select(['u.id as user_id', 'u.name', 'u.image', 'u.shared_handle'])
    .where(`r.${column}`, '=', id)
    .where(notApart(viewer, 'r.user_id'))
    .$if(emoji !== undefined, (query) => query.where('r.emoji', '=', emoji!))
  const rows = await pageOf(found, sql`r.id + 0`, page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(
        ({ user_id, name, image, shared_handle, ...reaction }): Reactor => ({
          ...reaction,
          user: people.fromRow(viewer.media, { id: user_id, name, image, shared_handle }),
        }),
      ),
  )
}

// The export of the member's data uses the functions below.

export async function countOfMember(db: Db, member: number) {
  const { count } = await db
    .selectFrom('reactions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', member)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Newest first. */
export async function listOwn({ db, me }: MemberViewer, page: PageParams) {
  const found = db
    .selectFrom('reactions')
    .select(['id', 'post_id', 'reply_id', 'message_id', 'emoji', 'created_at'])
    .where('user_id', '=', me.id)
  const rows = await pageOf(found, sql`id + 0`, page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}
