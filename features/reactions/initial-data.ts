import type { Endpoint } from '#core/contract.ts'
import type { InlinedCall } from '#core/feature/module.ts'
import { messageEndpoints } from '#features/messages/contract.ts'
import { postEndpoints } from '#features/posts/contract.ts'
import { MAX_SUBJECT_IDS, reactionEndpoints } from './contract.ts'

/** Their responses contain posts or messages. The keys are the parameters of `GET /api/reactions`. */
const sources: Readonly<Record<'posts' | 'messages', readonly Endpoint[]>> = {
  posts: [postEndpoints.list, postEndpoints.following, postEndpoints.byAuthor, postEndpoints.show],
  messages: [messageEndpoints.privateMessages, messageEndpoints.groupMessages],
}

type Answers = readonly { endpoint: Endpoint; body: unknown }[]

/**
 * The ids in the initial data of an HTML page, separated by commas. Takes the last
 * `MAX_SUBJECT_IDS`, because the newest messages are at the end of their list.
 */
export function initialIds(answers: Answers) {
  const idsFrom = (from: 'posts' | 'messages') =>
    answers
      .filter(({ endpoint }) => sources[from].includes(endpoint))
      .flatMap(({ body }) => body as { id: number } | { id: number }[])
      .map(({ id }) => id)
      .slice(-MAX_SUBJECT_IDS)
      .join()
  return { posts: idsFrom('posts'), messages: idsFrom('messages') }
}

/** Empty if there are no posts or messages. The first paint shows the reactions without another request. */
export function initialCalls(answers: Answers): InlinedCall[] {
  const ids = initialIds(answers)
  return ids.posts || ids.messages ? [{ endpoint: reactionEndpoints.summaries, input: ids }] : []
}
