import '#features/reactions/events.ts'
import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import { hasMember } from '#features/people/deletion.ts'
import * as reactions from '#features/reactions/read.ts'
import * as notifier from './model.ts'

type ReactionEvent = DomainEvents['reaction.added']

/** The `subject_id` is that post, reply or message. */
const kinds = { post: 'reaction', reply: 'reply_reaction', message: 'message_reaction' } as const

/** A person has one event for each subject, whatever the number of emoji, which are read when it is shown. */
export const reactionListeners: Listeners = {
  'reaction.added': async (tx, reaction, context) => {
    const { subject, subject_id, author_id: user, user_id: actor } = reaction
    if (user !== actor && (await maySeeOwn(context, tx, reaction)))
      await notifier.add(context, tx, {
        user,
        kind: kinds[subject],
        subject: subject_id,
        actor,
      })
  },
  'reaction.removed': async (tx, { subject, subject_id, author_id: user, user_id: actor }, context) => {
    if (user === actor) return
    if (await reactions.hasAny(tx, subject, subject_id, actor))
      notifier.announce(context, tx, user, { people: [actor] })
    else
      await notifier.endEvent(context, tx, {
        user,
        kind: kinds[subject],
        subject: subject_id,
        actor,
      })
  },
}

/** The author may have left the group, may no longer see the post of a reply, or may be deleted. */
async function maySeeOwn(context: AppContext, tx: Tx, { subject, subject_id, author_id }: ReactionEvent) {
  const author = { ...withoutRoles(context, author_id), db: tx }
  return (await hasMember(tx, author_id)) && (await reactions.isVisible(author, subject, subject_id))
}
