import type { AppContext, MemberContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { PageParams } from '#core/schemas.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { broadcastCounts, broadcastOwn, lockKey } from './broadcasts.ts'
import type { EmojiCount, reactionEndpoints, SubjectKind } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { subjects } from './subjects.ts'

type ChangeContext = MemberContext & { input: { id: number; emoji: string } }
type ReactorsContext = MemberViewer & {
  input: PageParams & { id: number; emoji?: string | undefined }
}

export function reactionHandlers(app: AppContext): Handlers<typeof reactionEndpoints> {
  async function respondToChange(
    context: ChangeContext,
    subject: SubjectKind,
    mine: boolean,
  ): Promise<{ reactions: EmojiCount[] }> {
    const { id, emoji } = context.input
    const run = mine ? model.add : model.remove
    const { reactions, isVisible } = await app.withLock(lockKey(subject, id), async () => {
      const change = await run(context, subject, id, emoji)
      if (change.isChanged) {
        broadcastCounts(app, subject, change.target, change.reactions)
        broadcastOwn(app, context.me.id, { subject, subject_id: id, emoji, mine })
      }
      return change
    })
    // The same 404 as without a reaction, so that the response does not tell whether the content still
    // exists.
    if (!isVisible) throw subjects[subject].createNotFoundError()
    return { reactions }
  }
  const add = (subject: SubjectKind) => (context: ChangeContext) => respondToChange(context, subject, true)
  const remove = (subject: SubjectKind) => (context: ChangeContext) =>
    respondToChange(context, subject, false)
  const listReactors = (subject: SubjectKind) => (context: ReactorsContext) =>
    read.listReactors(context, subject, context.input)

  return {
    summaries: (context) => read.summaries(context, context.input),
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
