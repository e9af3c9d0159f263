import { expect } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { countUnfinishedJobsOfKind } from '#core/jobs/jobs.ts'
import { eventually } from '#tests/eventually.ts'
import type { TestClient } from '#tests/harness.ts'

/** Pins a post for the whole community as an admin, and announces it to all members. */
export const pinTestPostAndTellEveryone = (who: TestClient, post: number) =>
  who.put(`/api/posts/${post}/pin`, { tell_everyone: true })

/** Waits until all jobs that store or delete announcements have ended. */
export const waitForTestAnnouncementJobs = (db: Db) =>
  eventually(async () => {
    for (const kind of ['announce_post', 'delete_announcement'] as const)
      expect(await countUnfinishedJobsOfKind(db, kind)).toBe(0)
  })
