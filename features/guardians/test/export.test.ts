import { describe, expect, test } from 'vitest'
import { withoutRoles } from '#core/context.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { exportSection } from '../export.ts'
import { followAs, guardianScene } from './guardian-scene.ts'

describe.each(dialectsInTurn())('the export of a member with requests on %s', (dialect) => {
  test('names only people whom the member may see', async () => {
    const { Kid, Uma, context, db } = await guardianScene(dialect)
    await followAs(Uma, Kid)
    const readRequests = async () => {
      const names: unknown[] = []
      for await (const document of exportSection.documents({ ...withoutRoles(context, Uma.id), db }, 'en'))
        if (document.path === 'guardian-requests')
          for await (const page of document.pages()) names.push(...page.map(({ heading }) => heading))
      return names
    }
    expect(await readRequests()).toEqual(['Kid'])
    expect((await Kid.post(`/api/users/${Uma.id}/block`)).status).toBe(200)
    expect(await readRequests()).toEqual([])
  })
})
