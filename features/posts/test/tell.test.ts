import { expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, formData, readRows, type TestClient } from '#tests/harness.ts'

test('an owner tells the group of ten posts a day, an admin of any number', async () => {
  const { members, db, context } = await createTestApp()
  const { Ann, Ben, Cho } = await members('Ann', 'Ben', 'Cho')
  await transaction(db, (tx) => context.settings.save(tx, { who_can_create_groups: 'members' }))
  const group = String((await Ben.post('/api/groups', { name: 'Club' })).body.group.id)
  await Ben.post(`/api/groups/${group}/add-user`, { user_id: Cho.id })
  const tell = async (who: TestClient, fields: Record<string, string>) =>
    (await who.post('/api/posts', formData({ text: 'News', extras: '{"tell":{}}', ...fields }))).status
  const toGroup = { audience: 'group', group_id: group }
  for (let count = 0; count < 10; count++) expect(await tell(Ben, toGroup)).toBe(201)
  expect(await tell(Ben, toGroup)).toBe(429)
  expect(await readRows(db, 'posts')).toHaveLength(10)
  for (let count = 0; count < 11; count++) expect(await tell(Ann, {})).toBe(201)
  expect([await tell(Cho, toGroup), await tell(Ben, {})]).toEqual([403, 403])
})
