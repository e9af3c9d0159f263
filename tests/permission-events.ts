import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'

/** Lines of `endpointTable` about events. */
export const eventRows = `events.ofPosts                         -              200      200      200      200      200      -
events.dates                           -              422      422      422      422      422      -
events.holidays                        -              422      422      422      422      422      -
events.date                            date           200      200      200      200      200      404
events.change                          date           401      403      403      200      403      404
events.answer                          date           401      200      200      200      200      404
events.withdraw                        date           401      200      200      200      200      404
events.guests                          date           401      200      200      200      200      404
events.missing                         date           401      403      403      200      403      404
events.remind                          date           401      403      403      200      403      404
events.close                           date           401      403      403      200      403      404
events.cancel                          date           401      403      403      200      403      404
events.restore                         date           401      403      403      200      403      404
events.attend                          date           401      403      403      200      403      404
calendars.get                          -              401      200      200      200      200      -
calendars.renew                        -              401      200      200      200      200      -
calendars.end                          -              401      200      200      200      200      -
calendars.feed                         -              404      404      404      404      404      -
events.answerPage                      date           200      200      200      200      200      200
events.confirmAnswer                   date           200      200      200      200      200      200
rota.list                              date           401      200      200      200      200      404
rota.add                               car-date       401      200      200      200      200      404
rota.change                            job            401      403      403      200      403      404
rota.remove                            job            401      403      403      200      403      404
rota.join                              job            401      200      200      200      200      404
rota.leave                             job            401      200      200      200      200      404
rota.list                              group-date     401      404      200      200      404      404
rota.add                               group-car-date 401      404      200      200      404      404
events.date                            group-date     404      404      200      200      404      404
events.answer                          group-date     401      404      200      200      404      404
events.guests                          group-date     401      404      200      200      404      404
events.cancel                          group-date     401      404      403      200      404      404
`

/** Events of the owner, for `things` of tests/permission-scene.ts. */
export function eventThings(owner: TestClient & { id: number }, createGroup: () => Promise<number>) {
  const create = async (audience: object) => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 16)
    const times = { begins: at(3600_000), ends: at(7200_000) }
    const event = { title: 'Mine', zone: 'UTC', places: null, ...times }
    const { status, body } = await owner.post('/api/posts', { text: 'mine', extras: { event }, ...audience })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    const found = (await owner.get(`/api/events?posts=${body.post.id}`)).body[body.post.id].date
    const change = { title: 'Mine too', place: null, ...times, answers_until: null }
    return {
      id: found.id,
      token: `${found.id}.${owner.id}.${'A'.repeat(43)}`,
      ...change,
      places: null,
      answer: 'yes',
      for: undefined,
      user: owner.id,
      attendance: 'here',
    }
  }
  const car = { kind: 'car', title: 'Station', places: 2, following: false }
  return {
    date: () => create({ audience: 'everyone' }),
    job: async () => {
      const { id } = await create({ audience: 'everyone' })
      const task = { kind: 'task', title: 'Tea', places: 3 }
      const { status, body } = await owner.post(`/api/events/dates/${id}/rota`, task)
      expect(status, JSON.stringify(body)).toBe(200)
      return { ...task, id: body.jobs[0].id, for: undefined }
    },
    'car-date': async () => ({ ...car, id: (await create({ audience: 'everyone' })).id }),
    'group-car-date': async () => ({
      ...car,
      id: (await create({ audience: 'group', group_id: await createGroup() })).id,
    }),
    'group-date': async () => create({ audience: 'group', group_id: await createGroup() }),
  }
}
