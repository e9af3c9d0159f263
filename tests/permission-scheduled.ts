import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'

/** Lines of `endpointTable` about what is sent later, about drafts, and about the search. */
export const scheduledRows = `scheduled.list                         -              401      200      200      200      200      -
scheduledCount.get                     -              401      200      200      200      200      -
scheduled.addPost                      later          401      201      201      201      201      201
scheduled.addMessage                   later-group    401      403      201      201      403      403
scheduled.change                       scheduled      401      404      404      200      404      404
scheduled.sendNow                      scheduled      401      404      404      200      404      404
scheduled.cancel                       scheduled      401      404      404      200      404      404
drafts.list                            -              401      200      200      200      200      -
drafts.save                            draft          401      200      200      200      200      422
search.list                            search         200      200      200      200      200      200
search.overview                        search         200      200      200      200      200      200
search.attachments                     search         401      200      200      200      200      200
`

/** What the owner sends later, for `things` of tests/permission-scene.ts. */
export function scheduledThings(owner: TestClient, createGroup: () => Promise<number>) {
  const due_at = new Date(Date.now() + 3600_000).toISOString()
  return {
    later: () => ({ due_at }),
    'new-post-mode': () => ({ mode: 'chosen' }),
    'seen-posts': () => ({ posts: [1] }),
    past: () => ({ until: '2020-01-01T00:00:00.000Z' }),
    draft: () => ({ kind: 'post', id: null, written_at: '2026-01-01T00:00:00.000Z' }),
    'later-group': async () => ({ due_at, group_id: await createGroup(), user_id: undefined }),
    search: () => ({ query: '?q=mine&has=picture' }),
    scheduled: async () => {
      const { status, body } = await owner.post('/api/scheduled/posts', { text: 'mine', due_at })
      expect(status, JSON.stringify(body)).toBe(201)
      return { id: body.id, due_at }
    },
  }
}
