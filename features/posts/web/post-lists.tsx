import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fillPath } from '#core/contract.ts'
import { api, apiPage, type Rows } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { initialAnswer, pageData } from '#web/page-data.ts'
import { useChannel } from '#web/realtime.ts'
import { channels, type Post, posts } from '../contract.ts'

/** A list of posts: the call that gives it, at the address that names it. */
export interface List {
  path: string
  call: typeof posts.list | typeof posts.following | typeof posts.byAuthor
  /** Whose posts, where they are one member's. */
  author?: number
}
export const everyone: List = { path: posts.list.path, call: posts.list }
export const followed: List = { path: posts.following.path, call: posts.following }
export const byAuthor = (id: number): List => ({
  path: fillPath(posts.byAuthor.path, { id }),
  call: posts.byAuthor,
  author: id,
})

type Newest = Rows<Post[]>
type Pages = InfiniteData<Newest, string | null>

const pagesKey = (list?: List) => ['post pages', ...(list ? [list.path] : [])]
const newestKey = (list?: List) => ['newest posts', ...(list ? [list.path] : [])]
const oneKey = (id?: number) => ['one post', ...(id ? [id] : [])]
const inputOf = ({ author }: List) => (author ? { id: author } : {}) as { id: number }
const fetchPage = (list: List, more: { limit?: number; after?: number } = {}, from: string | null = null) =>
  apiPage(list.call as typeof posts.byAuthor, { ...inputOf(list), ...more }, from)
/** Everybody hears of a post at once; they do not all ask for it at once. */
const SPREAD = 2000

/** Posts whose like is on its way: what the server says of them meanwhile is already old. */
export const likesUnderWay = new Map<number, boolean>()

/** The posts shown, page after page. They stay as they are until the reader asks for newer ones. */
export const usePages = (list: List) =>
  useInfiniteQuery({
    queryKey: pagesKey(list),
    queryFn: ({ pageParam }) => fetchPage(list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    initialData: () => firstPages(list),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

function firstPages(list: List): Pages | undefined {
  const first = initialAnswer(list.call, inputOf(list))
  return first && { pages: [{ rows: first.body as Post[], next: first.next }], pageParams: [null] }
}

/** Asks for newer posts when there are some. They wait until `show` puts them on top; posts that are shown already are brought up to date at once. */
export function useNewest(list: List) {
  const client = useQueryClient()
  const shown = client.getQueryData<Pages>(pagesKey(list))
  useNews(list)
  const { data } = useQuery({
    queryKey: newestKey(list),
    queryFn: async ({ signal }) => {
      const newest = await fetchPage(list)
      if (!signal.aborted) bringUpToDate(client, newest.rows)
      return newest
    },
    initialData: () => shown?.pages[0],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const waiting = newerThan(shown, data?.rows ?? [])
  return {
    waiting: waiting.length,
    more: waiting.length > 0 && waiting.length === data?.rows.length && data.next !== null,
    show: () => data && client.setQueryData<Pages>(pagesKey(list), (pages) => withNewest(pages, data)),
  }
}

/** Addresses of what is still as it came inside the page. */
const asPageCame = new Set(pageData.first.map(({ url }) => url))

/** Hears that there is something new, and after a gap asks whether there was. */
function useNews(list: List) {
  const client = useQueryClient()
  const due = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ask = () => {
    clearTimeout(due.current)
    due.current = setTimeout(
      () => client.invalidateQueries({ queryKey: newestKey(list) }),
      Math.random() * SPREAD,
    )
  }
  /** What came inside the page is a second old. */
  const askIfNewer = async () => {
    const after = client.getQueryData<Pages>(pagesKey(list))?.pages[0]?.rows[0]?.id
    const newer = await fetchPage(list, { limit: 1, ...(after && { after }) }).catch(() => null)
    if (newer?.rows.length) ask()
  }
  useEffect(() => () => clearTimeout(due.current), [])
  useChannel(channels.posts.name, {
    subscribed: () => (asPageCame.delete(list.path) ? askIfNewer() : ask()),
    events: {
      PostCreated: ({ user_id }: { user_id: number }) => (!list.author || list.author === user_id) && ask(),
      ...changesOf(client),
    },
  })
}

const changesOf = (client: QueryClient) => ({
  PostLiked: ({ id, likes_count }: { id: number; likes_count: number }) =>
    likesUnderWay.has(id) || patchPost(client, id, { likes_count }),
  PostDeleted: ({ id }: { id: number }) => dropPost(client, id),
})

/** One post by itself; null once it is gone. */
export function usePost(id: number) {
  const client = useQueryClient()
  useChannel(channels.posts.name, {
    subscribed: () => void client.invalidateQueries({ queryKey: oneKey(id) }),
    events: changesOf(client),
  })
  return useQuery<Post | null>({
    queryKey: oneKey(id),
    queryFn: async () => {
      const post = await api(posts.show, { id }).catch((error: unknown) => {
        if (isHttpError(error, 404) || isHttpError(error, 422)) return null
        throw error
      })
      return post && likesUnderWay.has(id) ? (client.getQueryData<Post | null>(oneKey(id)) ?? post) : post
    },
    initialData: () => (initialAnswer(posts.show, { id })?.body as Post | undefined) ?? knownPost(client, id),
  })
}

const knownPost = (client: QueryClient, id: number) =>
  client
    .getQueriesData<Pages>({ queryKey: pagesKey() })
    .flatMap(([, list]) => list?.pages.flatMap((page) => page.rows) ?? [])
    .find((post) => post.id === id)

const newerThan = (shown: Pages | undefined, rows: Post[]) => {
  const top = shown?.pages[0]?.rows[0]?.id ?? 0
  return rows.filter((post) => post.id > top)
}

function withNewest(shown: Pages | undefined, newest: Newest): Pages {
  const fresh = newerThan(shown, newest.rows)
  const [first, ...rest] = shown?.pages ?? []
  // Where a whole page is new, what lies between it and the posts shown is unknown.
  if (!shown || !first || fresh.length === newest.rows.length) return { pages: [newest], pageParams: [null] }
  return { ...shown, pages: [{ ...first, rows: [...fresh, ...first.rows] }, ...rest] }
}

/** Changes posts wherever they are kept, for one may be in several lists; null takes one away. */
function changePosts(client: QueryClient, change: (post: Post) => Post | null) {
  const changed = (page: Newest): Newest => ({
    ...page,
    rows: page.rows.map(change).filter((post) => post !== null),
  })
  client.setQueriesData<Pages>(
    { queryKey: pagesKey() },
    (list) => list && { ...list, pages: list.pages.map(changed) },
  )
  client.setQueriesData<Newest>({ queryKey: newestKey() }, (page) => page && changed(page))
  client.setQueriesData<Post | null>({ queryKey: oneKey() }, (post) => post && change(post))
}

export const patchPost = (client: QueryClient, id: number, patch: Partial<Post>) =>
  changePosts(client, (post) => (post.id === id ? { ...post, ...patch } : post))

export const dropPost = (client: QueryClient, id: number) =>
  changePosts(client, (post) => (post.id === id ? null : post))

function bringUpToDate(client: QueryClient, rows: Post[]) {
  const byId = new Map(rows.map((post) => [post.id, post]))
  changePosts(client, (post) => (likesUnderWay.has(post.id) ? post : (byId.get(post.id) ?? post)))
}

/** Quietly asks the server again for what is on the screen. */
export const refresh = (client: QueryClient) => {
  client.invalidateQueries({ queryKey: newestKey() })
  client.invalidateQueries({ queryKey: oneKey() })
}

/** After one's own post: the list of everyone starts anew, with that post on top. */
export async function startAnew(client: QueryClient) {
  const newest = await fetchPage(everyone).catch(() => null)
  if (!newest) return client.invalidateQueries({ queryKey: newestKey(), refetchType: 'none' })
  client.setQueryData<Pages>(pagesKey(everyone), { pages: [newest], pageParams: [null] })
  client.setQueryData<Newest>(newestKey(everyone), newest)
}
