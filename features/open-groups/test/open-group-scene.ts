import { transaction } from '#core/database/transaction.ts'
import { asChild } from '#features/guardians/test/guardian-scene.ts'
import { type Actor, createGroup } from '#tests/conversations.ts'
import type { Dialect, TestAppOptions } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'
import type { OpenGroup } from '../contract.ts'

/** Ada is the admin, Mum the guardian of Kid, and Oda owns the group of Oda and Ben. */
export async function openGroupScene(dialect: Dialect, options: TestAppOptions = {}) {
  const app = await realtimeApp({ dialect, ...options })
  const people = await app.members('Ada', 'Oda', 'Ben', 'Cas', 'Mum', 'Kid')
  const { Ada, Oda, Ben, Kid } = people
  await asChild(Ada, Kid, ['mum'])
  await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
  const group = await createGroup(Oda, 'Chess Club', Ben)
  return { ...app, ...people, group }
}

export const setAccess = (who: Actor, group: number, access: string, more: object = {}) =>
  who.put(`/api/groups/${group}/access`, { access, ...more })

export const join = (who: Actor, group: number) => who.post(`/api/open-groups/${group}/join`)

export const listed = async (who: Actor, query = ''): Promise<[string, string, string][]> =>
  (await who.get(`/api/open-groups${query}`)).body.map(({ name, access, state }: OpenGroup) => [
    name,
    access,
    state,
  ])

export const waiting = async (who: Actor): Promise<number> =>
  (await who.get('/api/notifications/unread')).body.waiting.group_request

interface Waiting {
  id: number
  person: { name: string }
  group: { name: string }
}
export const requests = async (who: Actor): Promise<Waiting[]> => (await who.get('/api/group-requests')).body

/** Of the first request in the list of this member. */
export async function decide(who: Actor, decision: 'accept' | 'decline') {
  const [request] = await requests(who)
  return who.post(`/api/group-requests/${request!.id}/${decision}`)
}

export const isMember = async (who: Actor, group: number) =>
  (await who.get(`/api/groups/${group}`)).status === 200
