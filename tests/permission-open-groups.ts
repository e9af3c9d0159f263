import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'

/** Lines of `endpointTable` about groups that one can find, and about what changes a group. */
export const openGroupRows = `openGroups.list                         -              401      200      200      200      200      -
openGroups.show                         open-group     401      200      200      200      200      404
openGroups.join                         open-group     401      200      200      200      200      404
openGroups.takeBack                     open-group     401      200      200      200      200      200
groupAccess.set                         group          401      403      403      403      200      404
groupLinks.create                       group          401      403      403      403      201      404
groupLinks.end                          group          401      403      403      403      200      404
groupLinks.open                         group-link     401      200      200      200      200      200
groupLinks.join                         group-link     401      200      200      200      200      200
groupRequests.list                      -              401      200      200      200      200      -
groupRequests.accept                    group-request  401      404      404      404      200      404
groupRequests.decline                   group-request  401      404      404      404      200      404
groups.rename                          group          401      403      403      403      200      404
groups.remove                          group          401      403      403      403      200      404
groups.removeMember                    group          401      403      403      403      200      404
groupEndings.set                       group          401      403      403      403      200      404
groupWriters.set                       group          401      403      403      403      200      404
slowMode.set                           group          401      403      403      403      200      404
`

/** Groups of the admin that one can find, for `things` of tests/permission-scene.ts. */
export function openGroupThings(admin: TestClient, person: TestClient, createGroup: () => Promise<number>) {
  const succeed = async (answer: ReturnType<TestClient['get']>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body
  }
  const group = async (access: string) => {
    const id = await createGroup()
    await succeed(admin.put(`/api/groups/${id}/access`, { access }))
    return id
  }
  return {
    'open-group': async () => ({ id: await group('open') }),
    'group-link': async () => {
      const id = await createGroup()
      return { token: (await succeed(admin.post(`/api/groups/${id}/link`))).token }
    },
    'group-request': async () => {
      await succeed(person.post(`/api/open-groups/${await group('ask')}/join`))
      const requests = await succeed(admin.get('/api/group-requests'))
      return { id: requests.at(-1).id }
    },
  }
}
