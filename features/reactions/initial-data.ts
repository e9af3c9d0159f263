import type { Endpoint } from '#core/contract.ts'
import type { InitialCall } from '#core/module.ts'
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

/**
 * Returns the call for the reactions to the posts and messages in the initial data of an HTML page, so that
 * the first paint shows the reactions without another request. Of too many ids it takes the last ones,
 * because the newest messages are the last ones of their list.
 */
export function listInitialReactionCalls(
  answers: readonly { endpoint: Endpoint; body: unknown }[],
): InitialCall[] {
  const idsFrom = (from: 'posts' | 'messages') =>
    answers
      .filter(({ endpoint }) => sources[from].includes(endpoint))
      .flatMap(({ body }) => body as { id: number } | { id: number }[])
      .map(({ id }) => id)
      .slice(-MAX_SUMMARY_IDS)
      .join()
  const [posts, messages] = [idsFrom('posts'), idsFrom('messages')]
  if (!posts && !messages) return []
  return [{ endpoint: reactionEndpoints.summaries, input: { posts, messages } }]
}
