import type { AppContext, MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { broadcastOwnReactionToMember, broadcastReactionCounts, toReactionLockKey } from './broadcasts.ts'
import type { EmojiReactionCountWithMine, ReactionSubjectKind, reactionEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { reactionSubjectFunctionsByKind } from './subjects.ts'

type ChangeContext = MemberContext & { input: { id: number; emoji: string } }
type ReactorsContext = MemberViewerContext & {
  input: PaginationParameters & { id: number; emoji?: string | undefined }
}

export function createReactionEndpointHandlers(app: AppContext): EndpointHandlers<typeof reactionEndpoints> {
  /**
   * Adds a reaction of the member if `mine` is true, and otherwise removes it. Broadcasts the change, and
   * returns the response.
   */
  async function respondToChange(
    context: ChangeContext,
    subject: ReactionSubjectKind,
    mine: boolean,
  ): Promise<{ reactions: EmojiReactionCountWithMine[] }> {
    const { id, emoji } = context.input
    const run = mine ? model.addReaction : model.removeReaction
    const { reactions, isVisible } = await app.withLock(toReactionLockKey(subject, id), async () => {
      const change = await run(context, subject, id, emoji)
      if (change.isChanged) {
        broadcastReactionCounts(app, subject, change.target, change.reactions)
        broadcastOwnReactionToMember(app, context.me.id, { subject, subject_id: id, emoji, mine })
      }
      return change
    })
    // Throws the same 404 as for a member who does not react, so that the response does not tell whether the
    // post, reply or message still exists.
    if (!isVisible) throw reactionSubjectFunctionsByKind[subject].createNotFoundError()
    return { reactions }
  }
  const add = (subject: ReactionSubjectKind) => (context: ChangeContext) =>
    respondToChange(context, subject, true)
  const remove = (subject: ReactionSubjectKind) => (context: ChangeContext) =>
    respondToChange(context, subject, false)
  const listReactors = (subject: ReactionSubjectKind) => (context: ReactorsContext) =>
    read.listReactors(context, subject, context.input)
  const readSummaries = read.createCachedReactionSummariesReader(app)

  return {
    summaries: (context) => readSummaries(context, context.input),
    postReactors: listReactors('post'),
    addToPost: add('post'),
    removeFromPost: remove('post'),
    replyReactors: listReactors('reply'),
    addToReply: add('reply'),
    removeFromReply: remove('reply'),
    messageReactors: listReactors('message'),
    addToMessage: add('message'),
    removeFromMessage: remove('message'),
  }
}
