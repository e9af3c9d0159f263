import { expect } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { countUnfinished } from '#core/jobs/jobs.ts'
import type { Notification } from '#features/notifications/contract.ts'
import { describeNotification } from '#features/notifications/describe.ts'
import { notificationPath } from '#features/notifications/path-contract.ts'
import { eventually } from '#tests/eventually.ts'
import type { Dialect, TestAppOptions, TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

export type Member = TestClient & { id: number }

/** Waits until all jobs about new posts have ended. */
export const told = (db: Db) =>
  eventually(async () => {
    for (const kind of ['tell_new_post', 'forget_new_post'] as const)
      expect(await countUnfinished(db, kind)).toBe(0)
  })

/** Mia is an admin; Ann writes the posts. */
export async function newPostScene(dialect: Dialect, env: TestAppOptions['env'] = {}) {
  const app = await realtimeApp({ dialect, env })
  const people = await app.members('Mia', 'Ann', 'Ben', 'Cleo', 'Dora')
  /** Returns its id when everybody is told. */
  const publish = async (author: Member, more: object = {}) => {
    const { status, body } = await author.post('/api/posts', { text: 'The beans are ripe', ...more })
    expect(status, JSON.stringify(body)).toBe(201)
    await told(app.db)
    return body.post.id as number
  }
  return { ...app, ...people, publish }
}

export async function choose(who: Member, ...people: readonly { id: number }[]) {
  for (const { id } of people)
    expect(await who.put(`/api/new-posts/people/${id}`)).toMatchObject({ status: 200 })
}
export const setMode = (who: Member, mode: string) => who.put('/api/new-posts', { mode })
export const choicesOf = async (who: Member) => (await who.get('/api/new-posts')).body

export const listOf = async (who: Member): Promise<Notification[]> =>
  (await who.get('/api/notifications')).body.filter(({ kind }: Notification) => kind !== 'follow')
/** The sentences, with the paths that they lead to. */
export const heard = async (who: Member, lang: 'en' | 'ja' = 'en') =>
  (await listOf(who)).map((one) => [describeNotification(one, lang), notificationPath(one)])
export const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count
