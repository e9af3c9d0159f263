import { expect } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { countUnfinished } from '#core/jobs/jobs.ts'
import { eventually } from '#tests/eventually.ts'
import type { TestClient } from '#tests/harness.ts'

/** Pins a post for the whole community as an admin, and announces it to all members. */
export const pinAndTell = (who: TestClient, post: number) =>
  who.put(`/api/posts/${post}/pin`, { tell_everyone: true })

/** Waits until all jobs that store or delete announcements have ended. */
export const announced = (db: Db) =>
  eventually(async () => {
    for (const kind of ['announce_post', 'delete_announcement'] as const)
      expect(await countUnfinished(db, kind)).toBe(0)
  })
