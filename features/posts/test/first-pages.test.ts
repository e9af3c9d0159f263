import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createGroup } from '#tests/conversations.ts'
import { createTestApp } from '#tests/harness.ts'

// The server caches the first page of the default size, and no page of another size. So the test expects that
// both pages have the same posts after any change.

/**
 * `SIZE` is the number of posts of a first page that the server caches, and `UNCACHED_SIZE` the number of
 * posts of a page that it does not cache.
 */
const [SIZE, UNCACHED_SIZE] = [50, 60]

/**
 * Creates a generator of random integers below `limit` that returns the same numbers each time for the same
 * seed.
 */
function createRandom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

test.each([1, 2])('first pages are those of the uncached query after random changes (%i)', async (seed) => {
  const random = createRandom(seed)
  const { members, visitor, db } = await createTestApp()
  const { Ada, Ben, Cleo, Dan } = await members('Ada', 'Ben', 'Cleo', 'Dan')
  const people = [Ada, Ben, Cleo, Dan]
  const group = await createGroup(Ada, 'Club', Ben)
  const one = <T>(list: readonly T[]) => list[random(list.length)]!
  const posts: number[] = []
  const write = async (audience: string, count = 1) => {
    const author = audience === 'group' ? one([Ada, Ben]) : one(people)
    for (let n = 0; n < count; n++) {
      const data = { text: 'x', audience, ...(audience === 'group' && { group_id: group }) }
      posts.push((await author.post('/api/posts', data)).body.post.id)
    }
  }
  const changes = {
    post: () => write(one(['everyone', 'everyone', 'members', 'followers', 'group'])),
    posts: () => write('everyone', 20),
    like: () => one(people).post(`/api/posts/${one(posts)}/like`),
    bookmark: () => one(people).put(`/api/posts/${one(posts)}/bookmark`),
    noBookmark: () => one(people).delete(`/api/posts/${one(posts)}/bookmark`),
    reply: () => one(people).post(`/api/posts/${one(posts)}/replies`, { text: 'x' }),
    edit: () => one(people).put(`/api/posts/${one(posts)}`, { text: `${random(9)}` }),
    remove: () => one(people).delete(`/api/posts/${one(posts)}`),
    follow: () => one(people).post(`/api/follow/${one(people).id}`),
    unfollow: () => one(people).delete(`/api/unfollow/${one(people).id}`),
    block: () => one(people).post(`/api/users/${one(people).id}/block`),
    unblock: () => one(people).delete(`/api/users/${one(people).id}/block`),
    mute: () => one(people).post(`/api/users/${one(people).id}/mute`),
    unmute: () => one(people).delete(`/api/users/${one(people).id}/mute`),
    name: () => one(people).post('/api/profile', { name: `Name ${random(9)}` }),
    hide: () =>
      transaction(db, (tx) =>
        tx
          .insertInto('hidden_posts')
          .columns(['post_id', 'created_at'])
          .expression((q) => q.selectFrom('posts').select(['id', 'created_at']).where('id', '=', one(posts)))
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      ),
    show: () =>
      transaction(db, (tx) => tx.deleteFrom('hidden_posts').where('post_id', '=', one(posts)).execute()),
  }
  await write('everyone')
  for (let round = 0; round < 80; round++) {
    const name = one(Object.keys(changes)) as keyof typeof changes
    await changes[name]()
    const reads = [...people, visitor()].flatMap((reader) =>
      ['/api/posts', ...('id' in reader ? ['/api/posts/following'] : [])].map((path) => ({ reader, path })),
    )
    for (const { reader, path } of reads) {
      const page = await reader.get(path)
      const longer = await reader.get(`${path}?limit=${UNCACHED_SIZE}`)
      expect(page.body, `${path} after ${name} in round ${round}`).toEqual(longer.body.slice(0, SIZE))
      const next = longer.body.length > SIZE ? longer.body[SIZE - 1].id : undefined
      expect(String(page.headers.link)).toContain(next === undefined ? 'undefined' : `before=${next}`)
    }
  }
})
