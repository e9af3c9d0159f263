import type { Endpoint } from '#core/contract.ts'
import type { InlinedEndpointCall } from '#core/module.ts'
import { privateChatAndMessageEndpoints } from '#features/chat/contract.ts'
import { postEndpoints } from '#features/posts/contract.ts'
import { MAX_IDS_PER_KIND_IN_REACTIONS_REQUEST, reactionEndpoints } from './contract.ts'

/**
 * The endpoints whose responses contain posts or messages, by the parameter of `GET /api/reactions` that
 * takes the ids of these posts or messages.
 */
const sources: Readonly<Record<'posts' | 'messages', readonly Endpoint[]>> = {
  posts: [postEndpoints.list, postEndpoints.following, postEndpoints.byAuthor, postEndpoints.show],
  messages: [privateChatAndMessageEndpoints.privateMessages, privateChatAndMessageEndpoints.groupMessages],
}

type Answers = readonly { endpoint: Endpoint; body: unknown }[]

/**
 * Returns two texts: the ids of the posts, and the ids of the messages, in the initial data of an HTML page,
 * each separated by commas. Takes the last `MAX_IDS_PER_KIND_IN_REACTIONS_REQUEST` ids of each, because the
 * newest messages are at the end of their list.
 */
export function extractCommaSeparatedPostAndMessageIds(answers: Answers) {
  const idsFrom = (from: 'posts' | 'messages') =>
    answers
      .filter(({ endpoint }) => sources[from].includes(endpoint))
      .flatMap(({ body }) => body as { id: number } | { id: number }[])
      .map(({ id }) => id)
      .slice(-MAX_IDS_PER_KIND_IN_REACTIONS_REQUEST)
      .join()
  return { posts: idsFrom('posts'), messages: idsFrom('messages') }
}

/**
 * Returns a list with the call for the reactions to the posts and messages in the initial data of an HTML
 * page. The list is empty if there are none. So the first paint shows the reactions without another request.
 */
export function listInitialDataCallsForReactions(answers: Answers): InlinedEndpointCall[] {
  const ids = extractCommaSeparatedPostAndMessageIds(answers)
  return ids.posts || ids.messages ? [{ endpoint: reactionEndpoints.summaries, input: ids }] : []
}
