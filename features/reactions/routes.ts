import type { AppContext, MemberContext } from '#core/context.ts'
import type { PageParameters } from '#core/contract.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { broadcastOwnReaction, broadcastReactions, toReactionLockKey } from './broadcasts.ts'
import type { Reaction, ReactionSubject, reactionEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { reactionSubjectKinds } from './subjects.ts'

type ChangeContext = MemberContext & { input: { id: number; emoji: string } }
type ReactorsContext = MemberViewerContext & {
  input: PageParameters & { id: number; emoji?: string | undefined }
}

export function createReactionHandlers(app: AppContext): EndpointHandlers<typeof reactionEndpoints> {
  /** Adds a reaction (`mine` is true) or takes it back, broadcasts the change, and returns the response. */
  async function respondToChange(
    context: ChangeContext,
    subject: ReactionSubject,
    mine: boolean,
  ): Promise<{ reactions: Reaction[] }> {
    const { id, emoji } = context.input
    const run = mine ? model.addReaction : model.removeReaction
    const { reactions, isVisible } = await app.withLock(toReactionLockKey(subject, id), async () => {
      const change = await run(context, subject, id, emoji)
      if (change.isChanged) {
        broadcastReactions(app, subject, change.target, change.reactions)
        broadcastOwnReaction(app, context.me.id, { subject, subject_id: id, emoji, mine })
      }
      return change
    })
    // Responds with the same 404 as to a member without a reaction, so that the response does not tell
    // whether the post, reply or message still exists.
    if (!isVisible) throw reactionSubjectKinds[subject].createNotFoundError()
    return { reactions }
  }
  const add = (subject: ReactionSubject) => (context: ChangeContext) =>
    respondToChange(context, subject, true)
  const remove = (subject: ReactionSubject) => (context: ChangeContext) =>
    respondToChange(context, subject, false)
  const listReactors = (subject: ReactionSubject) => (context: ReactorsContext) =>
    read.listReactors(context, subject, context.input)
  const readSummaries = read.createReactionSummariesReader(app)

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
