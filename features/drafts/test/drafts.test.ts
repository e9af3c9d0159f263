import { describe, expect, test } from 'vitest'
import { runDeletions } from '#tests/account-deletion.ts'
import { createTestApp, databases, readRows, type TestClient } from '#tests/harness.ts'
import type { Draft } from '../contract.ts'

const at = (seconds: number) => new Date(Date.now() - 3600_000 + 1000 * seconds).toISOString()
const save = (who: TestClient, draft: Partial<Draft>) =>
  who.put('/api/drafts', { kind: 'post', id: null, text: 'Hello', written_at: at(0), ...draft })
const list = async (who: TestClient): Promise<Draft[]> => (await who.get('/api/drafts')).body

describe.each(databases)('drafts on %s', (dialect) => {
  test('are kept for the member alone, the newest of each place, as they were typed', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    await save(Ann, { text: 'Hello ', written_at: at(1) })
    await save(Ann, { kind: 'person', id: Ben.id, text: 'Ben,', written_at: at(2) })
    expect((await save(Ann, { text: 'Older', written_at: at(0) })).body.text).toBe('Hello ')
    expect((await save(Ann, { text: 'Hello all', written_at: at(3) })).body.text).toBe('Hello all')
    const kept = [
      { kind: 'post', id: null, text: 'Hello all', more: null, written_at: expect.any(String) },
      { kind: 'person', id: Ben.id, text: 'Ben,', more: null, written_at: expect.any(String) },
    ]
    expect([await list(Ann), await list(Ben)]).toEqual([kept, []])
  })

  test('bring the audience and the parts of a post with them, until it is sent', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const more = JSON.stringify({ audience: 'followers', extras: '{"tell":{}}' })
    expect((await save(Ann, { more, written_at: at(1) })).body.more).toBe(more)
    expect(await list(Ann)).toMatchObject([{ more }])
    await save(Ann, { text: '', more, written_at: at(2) })
    expect(await list(Ann)).toMatchObject([{ text: '', more: null }])
    expect((await save(Ann, { more: 'x'.repeat(20_001) })).status).toBe(422)
  })

  test('that were sent stay empty, so that other devices hear of it', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    await save(Ann, { text: '', written_at: at(0) })
    expect(await list(Ann)).toEqual([])
    await save(Ann, { written_at: at(1) })
    await save(Ann, { text: '', written_at: at(2) })
    expect((await save(Ann, { written_at: at(1) })).body.text).toBe('')
    expect(await list(Ann)).toMatchObject([{ kind: 'post', text: '' }])
  })

  test('of a clock that is ahead do not win for ever', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const { body } = await save(Ann, { text: 'Ahead', written_at: '2090-01-01T00:00:00.000Z' })
    expect(Date.parse(body.written_at)).toBeLessThanOrEqual(Date.now())
    await save(Ann, { text: 'Now', written_at: new Date().toISOString() })
    expect(await list(Ann)).toMatchObject([{ text: 'Now' }])
  })

  test('are at most a hundred, and the oldest go first', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    for (let id = 1; id <= 101; id++) await save(Ann, { kind: 'group', id, written_at: at(id) })
    const ids = (await list(Ann)).map(({ id }) => id)
    expect([ids.length, ids.includes(1), ids[0]]).toEqual([100, false, 101])
  })

  test('of a wrong form are refused', async () => {
    const { members, db } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const wrong: object[] = [
      { kind: 'reply' },
      { kind: 'post', id: 1 },
      { kind: 'group', id: null },
      { text: 'x'.repeat(20_001) },
      { text: 'a\0b' },
      { written_at: 'yesterday' },
    ]
    for (const draft of wrong) expect((await save(Ann, draft)).status, JSON.stringify(draft)).toBe(422)
    expect(await readRows(db, 'drafts')).toEqual([])
  })

  test('are deleted with the account', async () => {
    const app = await createTestApp({ dialect })
    const { Ben } = await app.members('Ann', 'Ben')
    await save(Ben, {})
    await Ben.send('DELETE', '/api/account', { messages: 'keep' })
    await runDeletions(app)
    expect(await readRows(app.db, 'drafts')).toEqual([])
  })
})
