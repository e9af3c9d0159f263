import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'

/** Lines of `endpointTable` about the turn of a year. */
export const turnRows = `turns.groups                           -              401      403      403      403      200      -
turns.members                          group          401      403      403      403      200      200
turns.list                             -              401      403      403      403      200      -
turns.preview                          turning-group  401      403      403      403      200      422
turns.make                             turning-group  401      403      403      403      201      422
turns.undo                             turn           401      403      403      403      200      404
`

/** For `things` of tests/permission-scene.ts. */
export function turnThings(admin: TestClient, createGroup: () => Promise<number>) {
  const lines = async () => [{ group: await createGroup(), name: 'Next' }]
  return {
    'turning-group': async () => ({ lines: await lines() }),
    turn: async () => {
      const { status, body } = await admin.post('/api/admin/turns', { lines: await lines() })
      expect(status, JSON.stringify(body)).toBe(201)
      return { id: body.id as number }
    },
  }
}
