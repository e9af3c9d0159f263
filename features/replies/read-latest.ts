import { type RawBuilder, sql } from 'kysely'
import { shorten } from '#core/text/shorten.ts'
import * as people from '#features/people/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as postAudiences from '#features/posts/audiences.ts'
import { LATEST_PER_POST, type LatestByPost, type LatestReply, MAX_EXCERPT } from './contract.ts'
import * as read from './read.ts'

/**
 * By the id of the post, newest first. Leaves out posts that the viewer may not see, and replies of people
 * whom the viewer may not see or has muted. One query, and another one if a reply mentions somebody.
 */
export async function listLatest(viewer: ViewerContext, posts: readonly number[]): Promise<LatestByPost> {
  const rows = posts.length ? await latestQuery(viewer, [...new Set(posts)]).execute() : []
  const mentioned = await read.peopleById(
    viewer,
    rows.flatMap(({ mentioned_id }) => mentioned_id ?? []),
  )
  const found: Record<string, LatestReply[]> = {}
  for (const { post_id, author_id, name, image, shared_handle, mentioned_id, body, ...row } of rows) {
    const mentions = mentioned_id === null ? undefined : mentioned.get(mentioned_id)
    found[post_id] ??= []
    found[post_id].push({
      id: row.id,
      created_at: row.created_at,
      user: people.fromRow(viewer.media, { id: author_id, name, image, shared_handle }),
      excerpt: body && replyExcerpt(body),
      images_count: Number(row.images_count),
      ...(Number(row.files_count) > 0 && { files_count: Number(row.files_count) }),
      ...(mentions && { mentions }),
    })
  }
  return { posts: found }
}

const imagesCount = sql<number>`(select count(*) from reply_attachments a
  where a.reply_id = r.id and a.file is null)`
const filesCount = sql<number>`(select count(distinct a.file) from reply_attachments a where a.reply_id = r.id)`

const latestQuery = (viewer: ViewerContext, posts: readonly number[]) =>
  viewer.db
    .selectFrom('replies as r')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'r.user_id')
    .select(['r.id', 'r.post_id', 'r.body', 'r.created_at', 'r.mentioned_id'])
    .select(['u.id as author_id', 'u.name', 'u.image', 'u.shared_handle'])
    .select([imagesCount.as('images_count'), filesCount.as('files_count')])
    .where('r.id', 'in', latestIdsQuery(viewer, posts))
    .where(postAudiences.visible(viewer, 'r.post_id'))
    .orderBy('r.id', 'desc')

/**
 * Looks up each id separately in the index of the replies of a post, because SQLite has no join with a limit
 * for each post. The ids of the posts are a list of values with one column `column1`.
 */
function latestIdsQuery(viewer: ViewerContext, posts: readonly number[]) {
  const values = sql.join(posts.map((id) => sql`(cast(${id} as bigint))`))
  const people = visibility.reaching(viewer).select('users.id')
  const idQueries = Array.from(
    { length: LATEST_PER_POST },
    (_, offset) => sql`select (
      select x.id from replies x join ${people} author on author.id = x.user_id
      where x.post_id = p.column1 order by x.id + 0 desc limit 1 offset ${sql.lit(offset)}
    ) as id from (values ${values}) p`,
  )
  return sql`(${sql.join(idQueries, sql` union all `)})` as RawBuilder<number>
}

/** The beginning of a link, a mention or a tag. */
const linkStart = /(?<![a-z])[a-z]+:\/\/|www\.|[@＠#＃]/i

/** With “…” if the text is longer. Does not end within a grapheme, link, mention or tag. */
export function replyExcerpt(text: string) {
  const beginning = shorten(text, MAX_EXCERPT, '')
  if (beginning === text) return text
  const lastWord = /(?<!\S)\S+$/.exec(beginning)?.[0] ?? ''
  const link = lastWord.search(linkStart)
  const cut = link < 0 ? beginning : beginning.slice(0, beginning.length - lastWord.length + link)
  return `${cut.trimEnd()}…`
}
