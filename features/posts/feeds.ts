import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PageParams } from '#core/contract.ts'
import type { CacheEntries } from '#core/database/cache.ts'
import { type Db, isPostgres } from '#core/database/database.ts'
import { JsonText, type Paged, paged } from '#core/http/pagination.ts'
import { PAGE, type Post } from './contract.ts'
import { shown } from './model.ts'

type Page = Paged<JsonText<Post[]>>
/** What a list says of a post to one reader. */
interface Mark {
  id: number
  likes_count: number
  /** Null where the reader does not like it. */
  mine: number | null
}
/** A post as JSON, up to what differs between readers. */
interface Text {
  likes_count: number
  json: Buffer
}

/** Lists of posts, newest first, as JSON text. Ids grow with time, so an id is also the cursor. */
export function createFeeds({ db, media, queryCaches }: Pick<AppContext, 'db' | 'media' | 'queryCaches'>) {
  const pages = queryCaches<string, Promise<Page>>(
    ['posts', 'post_images', 'likes', 'follows', 'users', 'media'],
    200,
  )
  const feeds = queryCaches<string, Promise<number[]>>(
    ['insert into posts', 'delete from posts', 'follows'],
    5000,
  )
  const texts = queryCaches<number, Text>(['post_images', 'users', 'media'], 5000)

  async function page(me: number | null, cut: PageParams, posts: RawBuilder<unknown>, place = sql`p.id`) {
    const { rows } = await sql<Mark>`select p.id, p.likes_count, l.user_id as mine
      from posts p left join likes l on l.post_id = p.id and l.user_id = ${me ?? 0}
      where ${posts} ${within(cut, place)} order by ${place} desc limit ${cut.limit + 1}`.execute(db)
    const known = await textsOf(rows)
    return paged(
      rows,
      cut.limit,
      (last) => ({ before: last.id }),
      (some) => new JsonText<Post[]>(joined(some, known)),
    )
  }

  /** Of all that a page shows. A post is never edited: beside its likes only its author may look another way. */
  async function textsOf(marks: readonly Mark[]) {
    const known = texts()
    const found = new Map<number, Text>()
    for (const { id, likes_count } of marks) {
      const text = known.get(id)
      if (text?.likes_count === likes_count) found.set(id, text)
    }
    const missing = marks.flatMap(({ id }) => (found.has(id) ? [] : [id]))
    for (const post of missing.length ? await shown(db, media, missing) : []) {
      const text = { likes_count: post.likes_count, json: opened(post) }
      found.set(post.id, text)
      known.set(post.id, text)
    }
    return found
  }

  /** Of each list the beginning is kept, as everybody asks for it; anybody could ask for the rest in more ways than there is room for. */
  const answer = (list: string, me: number | null, cut: PageParams, make: () => Promise<Page>) =>
    cut.before === undefined && cut.after === undefined && cut.limit === PAGE
      ? kept(pages(), `${list} ${me}`, make)
      : make()

  return {
    all: (me: number | null, cut: PageParams) => answer('all', me, cut, () => page(me, cut, sql`true`)),
    /** Posts of the followed; one's own are not among them. */
    following: (me: number, cut: PageParams) =>
      answer('following', me, cut, async () => {
        const ids = await kept(feeds(), `${me} ${cut.before} ${cut.after} ${cut.limit}`, () =>
          followedPosts(db, me, cut),
        )
        return page(me, cut, ids.length ? sql`p.id in (${sql.join(ids)})` : sql`false`)
      }),
    byAuthor: (me: number, author: number, cut: PageParams) =>
      page(me, cut, sql`p.user_id = ${author}`, sql`p.id + 0`),
  }
}

/** One making for all who ask at once. What could not be made is tried again. */
function kept<T>(map: CacheEntries<string, Promise<T>>, key: string, make: () => Promise<T>) {
  const found = map.get(key)
  if (found) return found
  const made = make()
  map.set(key, made)
  made.catch(() => map.delete(key))
  return made
}

const within = ({ before, after }: PageParams, place: RawBuilder<unknown>) =>
  sql`${before === undefined ? sql`` : sql`and ${place} < ${before}`} ${after === undefined ? sql`` : sql`and ${place} > ${after}`}`

// ── Posts of the followed ───────────────────────────────────────────────────

/** Newest posts among which those of people who are followed and do post are found at once. */
const NEAR = 300

/** Ids of one page and one more. Whoever follows the silent, or pages far down, is answered from the followed, at a cost by their number and not by that of posts. */
async function followedPosts(db: Db, me: number, cut: PageParams) {
  const near = sql<{
    id: number
  }>`select p.id from (select p.id, p.user_id from posts p where true ${within(cut, sql`p.id`)} order by p.id desc limit ${NEAR}) p
    where exists (select 1 from follows f where f.follower_id = ${me} and f.followed_id = p.user_id) order by p.id desc limit ${cut.limit + 1}`
  const { rows } = await near.execute(db)
  const all =
    rows.length > cut.limit
      ? rows
      : (await sql<{ id: number }>`${newestOfEach(db, me, cut)}`.execute(db)).rows
  return all.map(({ id }) => id)
}

/** A page has posts of at most as many authors as it has posts: of those whose newest post is newest. */
function newestOfEach(db: Db, me: number, cut: PageParams) {
  const most = cut.limit + 1
  const of = (author: RawBuilder<unknown>, limit: number) =>
    sql`select p.id from posts p where p.user_id = ${author} ${within(cut, sql`p.id + 0`)} order by p.id + 0 desc limit ${limit}`
  const authors = sql`select author from (select f.followed_id as author, (${of(sql`f.followed_id`, 1)}) as newest from follows f where f.follower_id = ${me}) heads
    where newest is not null order by newest desc limit ${most}`
  const posts = isPostgres(db)
    ? sql`cross join lateral (${of(sql`authors.author`, most)}) p`
    : sql`join posts p on p.id in (${of(sql`authors.author`, most)})`
  return sql`with authors as (${authors}) select p.id from authors ${posts} order by p.id desc limit ${most}`
}

// ── JSON ────────────────────────────────────────────────────────────────────

const LIKED = Buffer.from('true},')
const NOT_LIKED = Buffer.from('false},')
const [OPEN, CLOSE] = Buffer.from('[]')

const opened = (post: object) => Buffer.from(`${JSON.stringify(post).slice(0, -1)},"liked_by_me":`)

function joined(marks: readonly Mark[], texts: ReadonlyMap<number, Text>) {
  const parts = marks.flatMap(({ id, mine }) => {
    const text = texts.get(id) // none where the post has gone since
    return text ? [text.json, mine === null ? NOT_LIKED : LIKED] : []
  })
  if (!parts.length) return Buffer.of(OPEN!, CLOSE!)
  const json = Buffer.concat([Buffer.of(OPEN!), ...parts])
  json[json.length - 1] = CLOSE!
  return json
}
