import { beforeEach, expect, test, vi } from 'vitest'
import type { Post } from '../contract.ts'

// Puts a response of the API into the initial data of a fake HTML page, because post-store.ts reads this data
// when it is imported.
vi.hoisted(() => {
  const initialAnswers = [{ url: '/api/users/7/posts', body: [{ id: 3, likes_count: 0 }], next: null }]
  const textContent = JSON.stringify({ initialAnswers })
  Object.assign(globalThis, { document: { getElementById: () => ({ textContent }) } })
})
const store = await import('../web/post-store.ts')
const { removePictures } = await import('../web/ExpiredImagesNote.tsx')
const { notifyMeChange: announceOwnChange } = await import('#web/me.ts')

const path = '/api/posts'
const post = (id: number, more: Partial<Post> = {}) =>
  ({ id, user: { id: 7 }, likes_count: 0, liked_by_me: false, ...more }) as Post
/** Creates a fetched page of a post list, with the posts from the id `newest` down to the id `oldest`. */
const page = (newest: number, oldest: number, next: string | null = null) => ({
  rows: Array.from({ length: newest - oldest + 1 }, (_, i) => post(newest - i)),
  next,
})
const list = (at = path) => store.state.get().lists.get(at)
const row = (id: number) => store.state.get().posts.get(id)

const fromPage = list('/api/users/7/posts')
beforeEach(() => announceOwnChange('account'))

test('the store begins with the answers in the page data', () => {
  expect(fromPage).toMatchObject({ shown: [3], waiting: [], epoch: 0 })
})

test('newer posts wait until the reader shows them; older pages are appended', () => {
  store.mergeFirstPage(path, page(9, 8, 'below 8'))
  store.addWaiting(post(10))
  // Post 12 arrives as an event before the response with the posts 11 to 9, which the server read before post
  // 12 existed.
  store.addWaiting(post(12))
  store.mergeFirstPage(path, page(11, 9, 'below 9'))
  expect(list()).toMatchObject({ shown: [9, 8], waiting: [12, 11, 10], nextUrl: 'below 8', gapUrl: null })
  store.showWaiting(path)
  store.addNextPage(path, 'below 8', page(7, 6))
  expect(list()).toMatchObject({ shown: [12, 11, 10, 9, 8, 7, 6], waiting: [], nextUrl: null })
  store.addNextPage(path, 'below 8', page(5, 5))
  expect(list()!.shown).toHaveLength(7)
})

/** Loads a page that the server read before the events that arrive while it is on its way. */
const loadOldPage = (old: ReturnType<typeof page>, events: () => void) =>
  store.load(async () => {
    events()
    store.mergeFirstPage(path, old)
  })

test('a post whose event arrives before an older first page waits, also if the list was not loaded yet', async () => {
  await loadOldPage(page(10, 8), () => {
    for (const id of [10, 11, 12]) store.addWaiting(post(id))
    store.remove(11)
    expect(list()).toBeUndefined()
  })
  expect(list()).toMatchObject({ shown: [10, 9, 8], waiting: [12] })
})

test('an older response undoes no change, deletion, or pin that arrived before it', async () => {
  store.mergeFirstPage(path, page(2, 1))
  await loadOldPage(page(3, 1), () => {
    store.patch(1, { body: 'edited' })
    store.patch(1, { pinned: true })
    store.remove(2)
    store.patch(2, { body: 'edited' })
    store.patch(3, { likes_count: 4 })
  })
  expect(row(1)).toMatchObject({ body: 'edited', pinned: true })
  expect(row(2)).toBeNull()
  expect(row(3)).toMatchObject({ likes_count: 4 })
  await loadOldPage(page(3, 1), () => {})
  expect(row(1)!.pinned).toBeUndefined()
  expect(row(2)).toMatchObject({ id: 2 })
})

test('the changes of the member before are not made for the next one', async () => {
  await loadOldPage(page(3, 1), () => {
    store.addWaiting(post(50))
    store.patch(1, { liked_by_me: true })
    announceOwnChange('account')
  })
  expect(list()).toMatchObject({ shown: [3, 2, 1], waiting: [] })
  expect(row(1)!.liked_by_me).toBe(false)
})

test('a first page that does not overlap the shown posts replaces them when the reader shows it', () => {
  store.mergeFirstPage(path, page(3, 1))
  store.addWaiting(post(4))
  store.mergeFirstPage(path, page(20, 10, 'below 10'))
  expect(list()).toMatchObject({ shown: [3, 2, 1], gapUrl: 'below 10' })
  expect(list()!.waiting).toHaveLength(11)
  store.addWaiting(post(21))
  store.showWaiting(path)
  expect(list()).toMatchObject({ nextUrl: 'below 10', gapUrl: null })
  expect(list()!.shown).toEqual([21, ...page(20, 10).rows.map(({ id }) => id)])
})

test("the reader's own post also shows the waiting posts, and hides no gap", () => {
  store.mergeFirstPage(path, page(3, 1))
  store.addWaiting(post(5))
  store.addOwn(post(6))
  expect(list()).toMatchObject({ shown: [6, 5, 3, 2, 1], waiting: [] })
  // Post 4 was written while the reader was not connected, so only this page contains it and no event did.
  store.mergeFirstPage(path, page(6, 3, 'below 3'))
  expect(list()).toMatchObject({ waiting: [4], gapUrl: null })
  store.addOwn(post(40))
  store.mergeFirstPage(path, page(60, 30, 'below 30'))
  store.showWaiting(path)
  expect(list()!.shown).toEqual(page(60, 30).rows.map(({ id }) => id))
  expect(list()!.nextUrl).toBe('below 30')
})

test("a new post is added to the lists of all posts and of its author, and to a follower's feed", () => {
  const [author, other, following] = ['/api/users/7/posts', '/api/users/8/posts', '/api/posts/following']
  for (const at of [path, author!, other!, following!]) store.mergeFirstPage(at, page(1, 1))
  store.addWaiting(post(2))
  store.addWaiting(post(3), true)
  expect([path, author!, other!, following!].map((at) => list(at)!.waiting)).toEqual([
    [3, 2],
    [3, 2],
    [],
    [3],
  ])
})

test('an event does not overwrite what a response said', () => {
  store.mergeFirstPage(path, page(3, 1))
  store.addOwn(post(4, { liked_by_me: true }))
  store.addWaiting(post(4))
  expect(row(4)!.liked_by_me).toBe(true)
  expect(list()).toMatchObject({ shown: [4, 3, 2, 1], waiting: [] })
})

test('a like that is being sent is not overwritten; equal rows stay the same objects', () => {
  store.mergeFirstPage(path, page(2, 1))
  const before = row(1)
  store.patch(2, { liked_by_me: true, likes_count: 1 })
  store.pendingLikes.set(2, true)
  store.put([post(1), post(2)])
  expect(row(2)).toMatchObject({ liked_by_me: true, likes_count: 1 })
  expect(row(1)).toBe(before)
  store.pendingLikes.delete(2)
  store.put([post(2)])
  expect(row(2)).toMatchObject({ liked_by_me: false, likes_count: 0 })
})

test('a deleted post leaves all lists; so does a waiting post that the server no longer lists', () => {
  store.mergeFirstPage(path, page(3, 1))
  store.mergeFirstPage('/api/users/7/posts', page(3, 3))
  store.addWaiting(post(4))
  store.addWaiting(post(5))
  store.remove(3)
  store.remove(5)
  expect(row(3)).toBeNull()
  expect(list()).toMatchObject({ shown: [2, 1], waiting: [4] })
  expect(list('/api/users/7/posts')!.shown).toEqual([])
  store.mergeFirstPage(path, { rows: [post(6), post(2), post(1)], next: null })
  expect(list()!.waiting).toEqual([6])
})

test('a change of followings drops only the feed; any other change of the account drops everything', () => {
  for (const at of [path, '/api/posts/following']) store.mergeFirstPage(at, page(2, 1))
  announceOwnChange('followings')
  expect([...store.state.get().lists.keys()]).toEqual([path])
  announceOwnChange('profile')
  expect(store.state.get()).toMatchObject({ posts: new Map(), lists: new Map() })
})

test('the pictures of a post are counted as removed once', () => {
  store.mergeFirstPage(path, {
    rows: [post(9, { images: [{}, {}] as never }), post(8, { images: [] })],
    next: null,
  })
  removePictures([9, 9, 8, 7])
  expect(row(9)).toMatchObject({ images: [], removed_images: 2 })
  expect(row(8)).not.toHaveProperty('removed_images')
  expect(row(7)).toBeUndefined()
})

test('the first post of an empty list appears at once, from an event or a later page', async () => {
  store.mergeFirstPage(path, { rows: [], next: null })
  store.addWaiting(post(1))
  expect(list()).toMatchObject({ shown: [1], waiting: [] })
  store.addWaiting(post(2))
  expect(list()).toMatchObject({ shown: [1], waiting: [2] })
  announceOwnChange('account')
  store.mergeFirstPage(path, { rows: [], next: null })
  store.mergeFirstPage(path, page(4, 3))
  expect(list()).toMatchObject({ shown: [4, 3], waiting: [] })
})

test('an own post appears at once, also if an older first page was on its way', async () => {
  await loadOldPage(page(10, 8), () => store.addOwn(post(11)))
  expect(list()).toMatchObject({ shown: [11, 10, 9, 8], waiting: [] })
  store.addWaiting(post(12))
  expect(list()).toMatchObject({ waiting: [12] })
})
