import { expect } from 'vitest'
import type { Poll } from '#features/polls/contract.ts'
import type { TestClient } from '#tests/harness.ts'

/** Lines of `endpointTable` about polls. */
export const pollRows = `polls.list                             -              200      200      200      200      200      -
polls.waiting                          -              401      200      200      200      200      -
polls.vote                             poll           401      200      200      200      200      404
polls.withdraw                         poll           401      200      200      200      200      404
polls.addOption                        poll           401      403      403      200      403      404
polls.end                              poll           401      403      403      200      403      404
polls.voters                           poll           401      200      200      200      200      404
polls.missing                          poll           401      403      403      200      403      404
polls.file                             poll           401      403      403      200      403      404
polls.remind                           poll           401      403      403      200      403      404
polls.vote                             group-poll     401      404      200      200      404      404
polls.voters                           group-poll     401      404      200      200      404      404
polls.missing                          group-poll     401      404      403      200      404      404
polls.file                             group-poll     401      404      403      200      404      404
polls.remind                           group-poll     401      404      403      200      404      404
`

const extras = { poll: { kind: 'choice', options: ['a', 'b'] } }

/** Polls of the owner, for `things` of tests/permission-scene.ts. */
export function pollThings(owner: TestClient, createGroup: () => Promise<number>) {
  const succeed = async (answer: ReturnType<TestClient['get']>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body
  }
  const fieldsOf = ({ id, options }: Poll) => {
    const option = options[0]!.id
    return { ...{ id, options: [option], query: `?option=${option}` }, answer: undefined, for: undefined }
  }
  return {
    poll: async () => {
      const { post } = await succeed(owner.post('/api/posts', { text: 'mine', extras }))
      return fieldsOf((await succeed(owner.get(`/api/polls?posts=${post.id}`))).posts[post.id])
    },
    'group-poll': async () => {
      const fields = { group_id: await createGroup(), message: 'mine', extras }
      const { id } = (await succeed(owner.post('/api/group-messages/send', fields))).message
      return fieldsOf((await succeed(owner.get(`/api/polls?messages=${id}`))).messages[id])
    },
  }
}
