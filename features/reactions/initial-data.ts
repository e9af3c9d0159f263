import type { Endpoint } from '#core/contract.ts'
import type { InlinedCall } from '#core/module.ts'
import { privateChatAndMessageEndpoints } from '#features/chat/contract.ts'
import { postEndpoints } from '#features/posts/contract.ts'
import { MAX_SUMMARY_IDS, reactionEndpoints } from './contract.ts'

/**
 * The endpoints whose responses contain posts or messages, by the parameter of `GET /api/reactions` that
 * takes their ids.
 */
const sources: Readonly<Record<'posts' | 'messages', readonly Endpoint[]>> = {
  posts: [postEndpoints.list, postEndpoints.following, postEndpoints.byAuthor, postEndpoints.show],
  messages: [privateChatAndMessageEndpoints.privateMessages, privateChatAndMessageEndpoints.groupMessages],
}

type Answers = readonly { endpoint: Endpoint; body: unknown }[]

/**
 * Returns the ids of the posts and of the messages in the initial data of an HTML page, separated by commas.
 * Takes the last `MAX_SUMMARY_IDS` ids, because the newest messages are the last ones of their list.
 */
export function listSubjectIdsInInitialData(answers: Answers) {
  const idsFrom = (from: 'posts' | 'messages') =>
    answers
      .filter(({ endpoint }) => sources[from].includes(endpoint))
      .flatMap(({ body }) => body as { id: number } | { id: number }[])
      .map(({ id }) => id)
      .slice(-MAX_SUMMARY_IDS)
      .join()
  return { posts: idsFrom('posts'), messages: idsFrom('messages') }
}

/**
 * Returns the call for the reactions to the posts and messages in the initial data of an HTML page, so that
 * the first paint shows the reactions without another request.
 */
export function listInitialReactionCalls(answers: Answers): InlinedCall[] {
  const ids = listSubjectIdsInInitialData(answers)
  return ids.posts || ids.messages ? [{ endpoint: reactionEndpoints.summaries, input: ids }] : []
}
