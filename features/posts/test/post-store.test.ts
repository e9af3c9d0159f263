import { beforeEach, expect, test, vi } from 'vitest'
import type { Post } from '../contract.ts'

// The store begins with the answers inside the page.
vi.hoisted(() => {
  const first = [{ url: '/api/users/7/posts', body: [{ id: 3, likes_count: 0 }], next: null }]
  const textContent = JSON.stringify({ first })
  Object.assign(globalThis, { document: { getElementById: () => ({ textContent }) } })
})
const store = await import('../web/post-store.ts')
const { announceOwnChange } = await import('#web/me.ts')

const path = '/api/posts'
const post = (id: number, more: Partial<Post> = {}) =>
  ({ id, user: { id: 7 }, likes_count: 0, liked_by_me: false, ...more }) as Post
/** A page with the posts from `newest` down to `oldest`. */
const page = (newest: number, oldest: number, next: string | null = null) => ({
  rows: Array.from({ length: newest - oldest + 1 }, (_, i) => post(newest - i)),
  next,
})
const list = (at = path) => store.postStore.get().lists.get(at)
const row = (id: number) => store.postStore.get().posts.get(id)

const fromPage = list('/api/users/7/posts')
beforeEach(() => announceOwnChange('account'))

test('the answers inside the page are there from the beginning', () => {
  expect(fromPage).toMatchObject({ shown: [3], waiting: [], asOf: 0 })
})

test('newer posts wait until they are asked for; older pages follow below', () => {
  store.receiveFirstPage(path, page(9, 8, 'below 8'))
  store.addPost(post(10))
  // The page was fetched before post 12 was written.
  store.addPost(post(12))
  store.receiveFirstPage(path, page(11, 9, 'below 9'))
  expect(list()).toMatchObject({ shown: [9, 8], waiting: [12, 11, 10], next: 'below 8', gap: null })
  store.showWaiting(path)
  store.receiveNextPage(path, 'below 8', page(7, 6))
  expect(list()).toMatchObject({ shown: [12, 11, 10, 9, 8, 7, 6], waiting: [], next: null })
  store.receiveNextPage(path, 'below 8', page(5, 5))
  expect(list()!.shown).toHaveLength(7)
})

test('a first page that does not reach the shown posts replaces them when it is shown', () => {
  store.receiveFirstPage(path, page(3, 1))
  store.addPost(post(4))
  store.receiveFirstPage(path, page(20, 10, 'below 10'))
  expect(list()).toMatchObject({ shown: [3, 2, 1], gap: 'below 10' })
  expect(list()!.waiting).toHaveLength(11)
  store.addPost(post(21))
  store.showWaiting(path)
  expect(list()).toMatchObject({ next: 'below 10', gap: null })
  expect(list()!.shown).toEqual([21, ...page(20, 10).rows.map(({ id }) => id)])
})

test('the reader’s own post shows what waits, and hides no gap below it', () => {
  store.receiveFirstPage(path, page(3, 1))
  store.addPost(post(5))
  store.addOwnPost(post(6))
  expect(list()).toMatchObject({ shown: [6, 5, 3, 2, 1], waiting: [] })
  // Written while the reader was not connected.
  store.receiveFirstPage(path, page(6, 3, 'below 3'))
  expect(list()).toMatchObject({ waiting: [4], gap: null })
  store.addOwnPost(post(40))
  store.receiveFirstPage(path, page(60, 30, 'below 30'))
  store.showWaiting(path)
  expect(list()!.shown).toEqual(page(60, 30).rows.map(({ id }) => id))
  expect(list()!.next).toBe('below 30')
})

test('a new post is in the lists of everybody and of its author, and in that of their followers', () => {
  const [author, other, following] = ['/api/users/7/posts', '/api/users/8/posts', '/api/posts/following']
  for (const at of [path, author!, other!, following!]) store.receiveFirstPage(at, page(1, 1))
  store.addPost(post(2))
  store.addPost(post(3), true)
  expect([path, author!, other!, following!].map((at) => list(at)!.waiting)).toEqual([
    [3, 2],
    [3, 2],
    [],
    [3],
  ])
})

test('an event does not take back what an answer said to the reader', () => {
  store.receiveFirstPage(path, page(3, 1))
  store.addOwnPost(post(4, { liked_by_me: true }))
  store.addPost(post(4))
  expect(row(4)!.liked_by_me).toBe(true)
  expect(list()).toMatchObject({ shown: [4, 3, 2, 1], waiting: [] })
})

test('a like that is being sent is not overwritten, and equal rows stay the same objects', () => {
  store.receiveFirstPage(path, page(2, 1))
  const before = row(1)
  store.patchPost(2, { liked_by_me: true, likes_count: 1 })
  store.likesUnderWay.set(2, true)
  store.receivePosts([post(1), post(2)])
  expect(row(2)).toMatchObject({ liked_by_me: true, likes_count: 1 })
  expect(row(1)).toBe(before)
  store.likesUnderWay.delete(2)
  store.receivePosts([post(2)])
  expect(row(2)).toMatchObject({ liked_by_me: false, likes_count: 0 })
})

test('a deleted post is in no list; a waiting one that the server no longer lists was deleted', () => {
  store.receiveFirstPage(path, page(3, 1))
  store.receiveFirstPage('/api/users/7/posts', page(3, 3))
  store.addPost(post(4))
  store.addPost(post(5))
  store.removePost(3)
  store.removePost(5)
  expect(row(3)).toBeNull()
  expect(list()).toMatchObject({ shown: [2, 1], waiting: [4] })
  expect(list('/api/users/7/posts')!.shown).toEqual([])
  store.receiveFirstPage(path, { rows: [post(6), post(2), post(1)], next: null })
  expect(list()!.waiting).toEqual([6])
})

test('other followings drop the list of the followed alone, another account everything', () => {
  for (const at of [path, '/api/posts/following']) store.receiveFirstPage(at, page(2, 1))
  announceOwnChange('followings')
  expect([...store.postStore.get().lists.keys()]).toEqual([path])
  announceOwnChange('profile')
  expect(store.postStore.get()).toMatchObject({ posts: new Map(), lists: new Map() })
})
